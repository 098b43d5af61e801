"""The bundle keeps its rules, and every rule finds the bundle that breaks it."""

import copy
import re
import shlex

import pytest
import yaml
from dbt.adapters.databricks.python_models.python_config import ParsedPythonModel
from dbt.adapters.databricks.python_models.python_submissions import PythonJobConfigCompiler

from tests.bundle import load
from tests.project.bundle_rules import RULES, Bundle, quartz_problem
from tests.project.test_commands import option_values, recipe, told_commands

GONE = object()
NIGHT = "resources.jobs.recon_night"
RECORD = f"{NIGHT}.tasks.0"
GATE = "resources.jobs.recon_gate"
ALERTS = "resources.alerts"
TOLD = f"{ALERTS}.staleness.evaluation"
BOARD = "resources.dashboards.recon"
STALENESS = "${resources.alerts.staleness.id}"

# Rule, what is changed, into what.
BROKEN = [
    ("fields_are_known", f"{NIGHT}.max_concurent_runs", 1),
    ("fields_are_known", f"{NIGHT}.tasks.1.run_if", "ALWAYS"),
    ("fields_are_known", f"{NIGHT}.schedule.quartz_cron_schedule", "0 0 2 * * ?"),
    ("fields_are_known", f"{ALERTS}.drift.evaluation.comparison_operator", "ABOVE"),
    ("fields_are_known", f"{ALERTS}.drift.query_text", GONE),
    ("fields_are_known", f"{BOARD}.data_set_catalog", "main"),
    ("fields_are_known", "resource", {}),
    ("references_resolve", f"{NIGHT}.tasks.2.alert_task.alert_id", "${resources.alerts.open.id}"),
    ("references_resolve", f"{BOARD}.dataset_schema", "${var.scheme}"),
    ("variables_are_described_and_used", "variables.unused", {"description": "Nothing."}),
    ("variables_are_described_and_used", "variables.catalog.description", GONE),
    ("record_comes_first", f"{NIGHT}.tasks.1.depends_on", GONE),
    ("record_comes_first", f"{RECORD}.depends_on", [{"task_key": "refresh_dashboard"}]),
    ("record_is_the_night", f"{RECORD}.dbt_task.commands.0", "dbt build --vars '{}'"),
    ("what_follows_runs_whatever_the_outcome", f"{NIGHT}.tasks.1.run_if", GONE),
    ("what_follows_runs_whatever_the_outcome", f"{NIGHT}.tasks.3.run_if", "ALL_SUCCESS"),
    ("what_follows_runs_whatever_the_outcome", f"{NIGHT}.tasks.3", GONE),
    ("what_follows_runs_whatever_the_outcome", f"{NIGHT}.tasks.1", GONE),
    ("mail_is_sent_for_record_only", f"{RECORD}.email_notifications", GONE),
    ("mail_is_sent_for_record_only", f"{NIGHT}.email_notifications", {"on_failure": ["x@y.z"]}),
    ("mail_is_sent_for_record_only", f"{GATE}.tasks.0.webhook_notifications", {"on_start": []}),
    ("versions_are_locked", "variables.dbt_environment.default.dependencies.0", "dbt-adapters"),
    ("versions_are_locked", "variables.dbt_environment.default.dependencies.7", GONE),
    ("dbt_writes_where_the_variables_say", f"{RECORD}.dbt_task.schema", GONE),
    ("dbt_writes_where_the_variables_say", f"{GATE}.tasks.0.dbt_task.catalog", "main"),
    ("dbt_runs_on_serverless", f"{RECORD}.environment_key", "spark"),
    ("dbt_runs_on_serverless", f"{RECORD}.existing_cluster_id", "1"),
    ("runs_do_not_overlap_or_repeat", f"{NIGHT}.max_concurrent_runs", 2),
    ("runs_do_not_overlap_or_repeat", f"{GATE}.max_concurrent_runs", GONE),
    ("runs_do_not_overlap_or_repeat", f"{RECORD}.max_retries", 3),
    ("runs_do_not_overlap_or_repeat", f"{GATE}.tasks.0.disable_auto_optimization", GONE),
    ("runs_do_not_overlap_or_repeat", f"{NIGHT}.schedule", GONE),
    ("runs_do_not_overlap_or_repeat", f"{GATE}.schedule", {}),
    ("schedules_can_be_read", "variables.night_cron.default", "0 2 * * *"),
    ("schedules_can_be_read", "variables.time_zone.default", "Berlin"),
    ("schedules_can_be_read", "variables.time_zone.default", "Europe/Berlin"),
    ("comparing_ends_before_it_is_ended", f"{RECORD}.timeout_seconds", 18000),
    ("comparing_ends_before_it_is_ended", f"{NIGHT}.timeout_seconds", GONE),
    ("commands_are_dbt_s", f"{RECORD}.dbt_task.commands.0", "make night"),
    ("commands_are_dbt_s", f"{RECORD}.dbt_task.commands.0", "dbt build --exclude tag:cutover_gaet"),
    ("commands_are_dbt_s", f"{RECORD}.dbt_task.commands.0", "dbt build --select path:model"),
    ("the_gate_is_that_of_make", f"{GATE}.parameters.0.name", "waves"),
    ("a_second_bad_night_is_told", f"{TOLD}.notification", {}),
    ("a_second_bad_night_is_told", f"{TOLD}.notification.retrigger_seconds", 86400),
    ("a_second_bad_night_is_told", f"{TOLD}.empty_result_state", "OK"),
    ("staleness_needs_no_night", f"{NIGHT}.tasks.3.alert_task.alert_id", STALENESS),
    ("alerts_name_their_tables_in_full", f"{ALERTS}.drift.query_text", "select 1 from a.b"),
    ("the_dashboard_is_placed_by_variables", f"{BOARD}.dataset_catalog", "main"),
    ("the_dashboard_is_placed_by_variables", f"{BOARD}.embed_credentials", GONE),
    ("the_dashboard_is_placed_by_variables", f"{BOARD}.file_path", "dashboards/gone.lvdash.json"),
    ("targets_are_dev_and_prod", "targets.prod.mode", GONE),
    ("targets_are_dev_and_prod", "targets.dev.variables.schema", "recon"),
    ("targets_are_dev_and_prod", "targets.prod.run_as", GONE),
    ("permissions_are_given_to_groups", f"{ALERTS}.drift.permissions", []),
    ("permissions_are_given_to_groups", f"{BOARD}.permissions.0", {"user_name": "a"}),
    ("permissions_are_given_to_groups", f"{GATE}.permissions.0.group_name", "users"),
    ("what_dbt_reads_is_deployed", "sync.exclude.0", "tests/**"),
    ("what_dbt_reads_is_deployed", "sync.exclude.2", GONE),
]  # fmt: skip


@pytest.fixture(scope="module")
def bundle(root, project, files, locked, dbt_project) -> Bundle:
    words = recipe(root, "gate").replace("\\\n", " ").split("$(DBT) ", 1)[1]
    words = shlex.split(words.replace("$(DBT_ARGS)", ""))
    nodes = project.manifest["nodes"].values()
    return Bundle(
        config=load(root),
        root=root,
        files=[str(path.relative_to(root)) for path in files],
        names={node["name"] for node in nodes},
        tags={tag for node in nodes for tag in node["tags"]},
        locked=locked,
        gate_words=words[: words.index("--warn-error-options")],
        settings=dbt_project,
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_bundle_keeps_the_rule(bundle, rule):
    assert list(rule(bundle)) == []


def changed(config: dict, path: str, value) -> dict:
    """A copy of the bundle in which the place at the path has another value, or is gone."""
    # Without the sharing of YAML's anchors: one place changes, not all that look alike.
    config = yaml.safe_load(yaml.dump(config, Dumper=WithoutAnchors))
    *parents, last = (int(part) if part.isdigit() else part for part in path.split("."))
    place = config
    for part in parents:
        place = place[part]
    if value is GONE:
        del place[last]
    else:
        place[last] = copy.deepcopy(value)
    return config


class WithoutAnchors(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


@pytest.mark.parametrize(("rule", "path", "value"), BROKEN)
def test_a_broken_bundle_is_found(bundle, rule, path, value):
    broken = Bundle(**{**vars(bundle), "config": changed(bundle.config, path, value)})
    (found,) = [known for known in RULES if known.__name__ == rule]
    assert list(found(broken)) != []


def test_every_rule_is_broken_once():
    assert {rule.__name__ for rule in RULES} == {rule for rule, _, _ in BROKEN}


@pytest.mark.parametrize(
    "expression",
    ["0 0 2 * * ?", "0 30 6 ? * MON-FRI", "0 0/15 8-18 1,15 JAN,JUL ? 2026-2030", "0 0 2 ? * 2"],
)
def test_quartz_expressions_are_read(expression):
    assert quartz_problem(expression) is None


@pytest.mark.parametrize(
    "expression",
    ["0 0 2 * *", "0 0 2 * * *", "0 0 2 ? * ?", "0 0 24 * * ?", "0 0 2 ? * 8", "0 0 2- * * ?",
     "0 0 x * * ?", "60 0 2 * * ?", "0 0 2 * JAX ?"],
)  # fmt: skip
def test_wrong_quartz_expressions_are_found(expression):
    assert quartz_problem(expression)


def test_commands_of_the_documents_name_what_the_bundle_has(root, bundle):
    told = [words for _, words in told_commands(root, "databricks") if words[0] == "bundle"]
    assert {words[1] for words in told} == {"validate", "deploy", "run", "summary"}
    targets = [word for words in told for word in option_values(words, "--target")]
    assert set(targets) - set(bundle.config["targets"]) == set()
    assert {words[2] for words in told if words[1] == "run" and words[2:]} == {*bundle.of("jobs")}
    text = (root / "docs/operations.md").read_text()
    assert set(re.findall(r"BUNDLE_VAR_(\w+)", text)) == {
        name for name, variable in bundle.config["variables"].items() if "default" not in variable
    }


def test_a_night_that_was_ended_is_resumed_as_make_does(root):
    words = recipe(root, "resume").replace("\\\n", " ").split("$(DBT) ", 1)[1]
    command = " ".join(words.replace("$(DBT_ARGS)", "").split())
    assert f'["dbt {command}"]' in (root / "docs/operations.md").read_text()


class NoPermissions:
    """Stands for the part that asks the workspace who the owner is."""

    def build_job_permissions(self, grants, acls):
        return []


@pytest.mark.parametrize("name", ["int_recon__pair_plans", "int_recon__comparisons"])
def test_python_models_run_on_serverless_compute(parsed_databricks, name):
    """What dbt-databricks makes of their settings: a run without a cluster, that ends in time."""
    node = parsed_databricks.manifest["nodes"][f"model.recon.{name}"]
    assert node["config"]["submission_method"] == "serverless_cluster"
    assert node["config"]["user_folder_for_python"] is True
    model = ParsedPythonModel(**node)
    run = PythonJobConfigCompiler(None, NoPermissions(), model, {}).compile("/a/notebook")
    assert not {"new_cluster", "existing_cluster_id", "environment_key"} & run.job_spec.keys()
    assert run.job_spec["libraries"] == []
    assert run.additional_job_config == {"name": None, "timeout_seconds": 19800}
