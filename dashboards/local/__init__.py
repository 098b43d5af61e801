"""The dashboard file drawn as one HTML page, without a workspace and without a network.

Other than in a workspace no engine runs while the page is read. Queries with a range of dates were
run once, for the range the file opens with or the one asked for. The filter narrows it by the
column of the parameter's name; a dataset without that column says which dates it is of. A cell is
chosen by click, or by arrow keys and Enter: it holds the tables and charts of its dataset, while
the heat maps stay whole. Every chart can be shown as a table, and every table downloaded. Instead
of drilling through there are links such as `#page=debugging&f_debugging~filter_pair=orders`.
"""
