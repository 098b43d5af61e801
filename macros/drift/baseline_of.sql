{% macro baseline_of(entries, measure) %}
{#
  Renders what one measure is judged against, as a struct of median, mad (median absolute deviation)
  and largest. entries: a SQL array of structs, one per night of the baseline.
#}
transform(
    array(transform({{ entries }}, e -> double(e.{{ measure }}))),
    v -> transform(array({{ median('v') }}), m -> struct(
        m as median, {{ median('transform(v, x -> abs(x - m))') }} as mad, array_max(v) as largest
    ))[0]
)[0]
{%- endmacro %}
