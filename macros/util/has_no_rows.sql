{% test has_no_rows(model) %}
{# Data test: fails with every row of a model that lists what is wrong. #}
select * from {{ model }}
{% endtest %}
