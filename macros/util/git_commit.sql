{% macro git_commit() %}
{#
  Returns the commit of this project to be recorded: var recon_git_commit, else the environment variable
  RECON_GIT_COMMIT, else unknown. On serverless compute a dbt task has no environment of its own.
#}
  {{ return(var('recon_git_commit') or env_var('RECON_GIT_COMMIT', 'unknown')) }}
{% endmacro %}
