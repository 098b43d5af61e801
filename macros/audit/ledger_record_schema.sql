{% macro ledger_record_schema() %}
{#
  Returns the fields of a record of int_recon__comparisons, as a Spark schema: what audit_ledger
  holds beside run_id, run_ts, run_date, record_type and recorded_ts. One wide list for all record
  types; a field that a type has no use for is NULL.
#}
{{ return("
  scope string, requested_pairs string, requested_wave string, clock_was_given boolean,
  pairs_configured int, pairs_in_scope int, pairs_compared int, pairs_in_error int,
  seeds_config_hash string, rules_config_hash string, project_version string, code_version string,
  git_commit string,
  dbt_version string, adapter_version string, spark_version string, target_name string,
  executed_as string, invocation_id string, previous_run_digest string,
  pair_id string, original_pair_id string, status string, error_class string,
  error_message string, wave string, owner string, severity string, max_age_hours double,
  source_relation string, target_relation string,
  source_pin struct<table_id: string, version: bigint>,
  target_pin struct<table_id: string, version: bigint>,
  source_rows bigint, target_rows bigint,
  source_rows_filtered bigint, target_rows_filtered bigint,
  source_rows_after_watermark bigint, target_rows_after_watermark bigint,
  source_rows_compared bigint, target_rows_compared bigint,
  totals map<string, bigint>, mismatch_count bigint, mismatched_row_count bigint,
  within_tolerance_count bigint,
  source_hash_sum array<bigint>, target_hash_sum array<bigint>,
  compared_columns array<string>,
  skipped_columns array<struct<source_column: string, target_column: string, reason: string>>,
  watermark_value string, source_after_watermark string, target_after_watermark string,
  depends_on_time boolean, config_hash string, plan_hash string, hash_algorithm string,
  mask_key_id string, compared_how string, started_ts timestamp, seconds double,
  notes array<string>,
  mismatch_id string, diff_type string, side string, record_key string,
  source_column string, target_column string, source_value string, target_value string,
  value_digest string, row_hash string, occurrences bigint, recorded_up_to string,
  not_recorded_diff_type string, plan string
") }}
{% endmacro %}
