"""What the bundle must keep. Each rule yields a sentence per problem; none: the rule holds.

Fields, types and enumerations are those of the package databricks-bundles; the rest are the
promises of docs/operations.md. Whether a workspace agrees, only a workspace can say.
"""

import calendar
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import available_timezones

import pathspec
from databricks.bundles.alerts import Alert
from databricks.bundles.dashboards import Dashboard
from databricks.bundles.jobs import Job
from dbt.cli.main import cli

from dashboards.lint.sql import tables
from tests.bundle import REFERENCE, defaults, resolved, strings

TYPES = {"jobs": Job, "alerts": Alert, "dashboards": Dashboard}
TOP_LEVEL = {"bundle", "include", "variables", "sync", "resources", "targets"}
# Known without a workspace's answer.
GIVEN = {"bundle.name", "bundle.target", "bundle.git.commit", "workspace.current_user.short_name"}
DAY = 24 * 3600
# The lowest and the highest number of each field.
QUARTZ = {
    "second": (0, 59), "minute": (0, 59), "hour": (0, 23), "day of month": (1, 31),
    "month": (1, 12), "day of week": (1, 7), "year": (1970, 2099),
}  # fmt: skip
QUARTZ_NAMES = {
    "month": [name.upper() for name in calendar.month_abbr[1:]],
    # quartz begins the week with Sunday
    "day of week": [calendar.day_abbr[day - 1].upper() for day in range(7)],
}


@dataclass(frozen=True, repr=False)
class Bundle:
    """The bundle and what it has to agree with."""

    config: dict
    root: Path
    files: list[str]  # in git, relative to the root
    names: set[str]  # of dbt's nodes
    tags: set[str]
    locked: dict[str, str]  # package: version in requirements.lock
    gate_words: list[str]  # the dbt command of make gate
    settings: dict  # dbt_project.yml

    def of(self, kind: str) -> dict:
        """The resources of a kind, with the variables' defaults in their places."""
        return resolved(self.config["resources"][kind], defaults(self.config))

    @property
    def night(self) -> dict:
        return self.of("jobs")["recon_night"]

    @property
    def gate(self) -> dict:
        return self.of("jobs")["recon_gate"]

    @property
    def tasks(self) -> dict:
        """The tasks of the night by key."""
        return {task["task_key"]: task for task in self.night["tasks"]}

    @property
    def dbt_tasks(self) -> list[dict]:
        tasks = [task for job in self.of("jobs").values() for task in job["tasks"]]
        return [task for task in tasks if "dbt_task" in task]


def fields_are_known(bundle: Bundle) -> Iterator[str]:
    for key in bundle.config.keys() - TOP_LEVEL:
        yield f"{key} is no key of a bundle that these rules know"
    for kind, resources in bundle.config["resources"].items():
        for name in resources:
            try:
                TYPES[kind].from_dict(bundle.of(kind)[name])
            except (KeyError, TypeError, ValueError) as problem:
                yield f"{kind}.{name}: {problem!r}"


def references_resolve(bundle: Bundle) -> Iterator[str]:
    variables = {f"var.{name}" for name in bundle.config["variables"]}
    resources = bundle.config["resources"].items()
    ids = {f"resources.{kind}.{name}.id" for kind, named in resources for name in named}
    for text in strings(bundle.config):
        for reference in REFERENCE.findall(text):
            if reference not in variables | ids | GIVEN:
                yield f"${{{reference}}} names nothing"


def variables_are_described_and_used(bundle: Bundle) -> Iterator[str]:
    used = {name for text in strings(bundle.config) for name in REFERENCE.findall(text)}
    for name, variable in bundle.config["variables"].items():
        if not variable.get("description", "").strip():
            yield f"{name} has no description"
        if f"var.{name}" not in used:
            yield f"{name} is used nowhere"


def record_comes_first(bundle: Bundle) -> Iterator[str]:
    if "depends_on" in bundle.tasks["record"]:
        yield "record waits for something"
    for name, task in bundle.tasks.items():
        if name != "record" and task.get("depends_on") != [{"task_key": "record"}]:
            yield f"{name} does not follow record alone"


def record_is_the_night(bundle: Bundle) -> Iterator[str]:
    commands = [shlex.split(text) for text in bundle.tasks["record"]["dbt_task"]["commands"]]
    selected = [command[: command.index("--vars")] for command in commands]
    if selected != [["dbt", "build", "--exclude", "tag:cutover_gate"]]:
        yield f"record runs {selected}"


def what_follows_runs_whatever_the_outcome(bundle: Bundle) -> Iterator[str]:
    alerts = {"open_mismatches", "drift"}
    for name, task in bundle.tasks.items():
        if name != "record" and task.get("run_if") != "ALL_DONE":
            yield f"{name} does not run after a night that failed"
        alerts -= {key for key in alerts if f"alerts.{key}." in "".join(strings(task))}
    if alerts:
        yield f"the night does not evaluate {', '.join(alerts)}"
    if not any("dashboards.recon." in "".join(strings(task)) for task in bundle.night["tasks"]):
        yield "the night does not refresh the dashboard"


def mail_is_sent_for_record_only(bundle: Bundle) -> Iterator[str]:
    for name, job in bundle.of("jobs").items():
        for place in (job, *job["tasks"]):
            mail = {key: place[key] for key in place if key.endswith("_notifications")}
            wanted = {"email_notifications": {"on_failure": ["${var.on_call}"]}}
            if mail != (wanted if place.get("task_key") == "record" else {}):
                yield f"{name} {place.get('task_key', 'as a whole')} notifies: {mail}"


def versions_are_locked(bundle: Bundle) -> Iterator[str]:
    wanted = {
        f"{name}=={version}" for name, version in bundle.locked.items() if name.startswith("dbt-")
    }
    for name, job in bundle.of("jobs").items():
        for environment in job["environments"]:
            if set(environment["spec"]["dependencies"]) != wanted:
                yield f"{name}: not the versions of requirements.lock, {sorted(wanted)}"


def dbt_writes_where_the_variables_say(bundle: Bundle) -> Iterator[str]:
    for task in bundle.dbt_tasks:
        for key in ("warehouse_id", "catalog", "schema"):
            # with their defaults in place
            wanted = resolved(f"${{var.{key}}}", defaults(bundle.config))
            if task["dbt_task"].get(key) != wanted:
                yield f"{task['task_key']}: {key} is not the variable"


def dbt_runs_on_serverless(bundle: Bundle) -> Iterator[str]:
    for name, job in bundle.of("jobs").items():
        known = {environment["environment_key"] for environment in job["environments"]}
        for task in job["tasks"]:
            if "dbt_task" not in task:
                continue
            if task.get("environment_key") not in known:
                yield f"{name} {task['task_key']}: no such environment"
            if {"new_cluster", "existing_cluster_id", "job_cluster_key"} & task.keys():
                yield f"{name} {task['task_key']} names a cluster"


def runs_do_not_overlap_or_repeat(bundle: Bundle) -> Iterator[str]:
    for name, job in bundle.of("jobs").items():
        if job.get("max_concurrent_runs") != 1:
            yield f"{name} may run twice at once"
    for task in bundle.dbt_tasks:
        if task.get("max_retries") != 0 or task.get("disable_auto_optimization") is not True:
            yield f"{task['task_key']} may be tried again"
    if "schedule" not in bundle.night:
        yield "the night has no schedule"
    if {"schedule", "trigger", "continuous"} & bundle.gate.keys():
        yield "the gate starts by itself, perhaps during a night"


def quartz_problem(expression: str) -> str | None:
    """What is wrong with a quartz expression, of lists, ranges, steps and names; None: nothing."""
    fields = expression.split()
    if len(fields) not in (6, 7):
        return f"{len(fields)} fields, not 6 or 7"
    for (name, (least, most)), field in zip(QUARTZ.items(), fields, strict=False):
        names = QUARTZ_NAMES.get(name, [])
        if field == "?" and name in ("day of month", "day of week"):
            continue
        for item in field.upper().split(","):
            match = re.fullmatch(r"(\*|\w+)(?:-(\w+))?(?:/(\d+))?", item)
            ends = [part for part in match.groups()[:2] if part and part != "*"] if match else [""]
            ends = [str(names.index(end) + least) if end in names else end for end in ends]
            if not all(end.isdigit() and least <= int(end) <= most for end in ends):
                return f"{name} {field}"
    if (fields[3] == "?") == (fields[5] == "?"):
        return "exactly one of day of month and day of week is ?"
    return None


def schedules_can_be_read(bundle: Bundle) -> Iterator[str]:
    for name, resource in (bundle.of("jobs") | bundle.of("alerts")).items():
        if "schedule" not in resource:
            continue
        schedule = resource["schedule"]
        expression = schedule.get("quartz_cron_expression") or schedule.get("quartz_cron_schedule")
        if problem := quartz_problem(expression or ""):
            yield f"{name}: {problem}"
        if schedule.get("timezone_id") not in available_timezones():
            yield f"{name}: no time zone {schedule.get('timezone_id')}"
        if schedule.get("timezone_id") != bundle.settings["vars"]["recon_time_zone"]:
            yield f"{name}: its time zone is not recon_time_zone, which run_date is of"


def comparing_ends_before_it_is_ended(bundle: Bundle) -> Iterator[str]:
    command = bundle.tasks["record"]["dbt_task"]["commands"][0]
    minutes = re.search(r"recon_run_deadline_minutes: (\d+)", command)
    python = bundle.settings["models"]["recon"]["compare"]["+python_job_config"]
    seconds = [
        int(minutes[1]) * 60 if minutes else None,
        python.get("timeout_seconds"),
        bundle.tasks["record"].get("timeout_seconds"),
        bundle.night.get("timeout_seconds"),
    ]
    if None in seconds or seconds != sorted(set(seconds)):
        yield f"deadline, Python run, record, job must end in this order, not {seconds}"


def commands_are_dbt_s(bundle: Bundle) -> Iterator[str]:
    for task in bundle.dbt_tasks:
        for program, name, *words in map(shlex.split, task["dbt_task"]["commands"]):
            command = cli.get_command(None, name)
            if program != "dbt" or command is None:
                yield f"{task['task_key']}: {program} {name} is no command of dbt"
                continue
            with cli.make_context("dbt", [name], resilient_parsing=True) as context:
                parameters = command.make_context(name, words, parent=context).params
            for selector in (*(parameters["select"] or ()), *(parameters["exclude"] or ())):
                if not selects_something(bundle, selector):
                    yield f"{task['task_key']}: {selector} selects nothing"


def selects_something(bundle: Bundle, selector: str) -> bool:
    method, _, rest = selector.rpartition(":")
    if method == "path":
        return (bundle.root / rest).exists()
    return rest in {"tag": bundle.tags, "": bundle.names}.get(method, ())


def the_gate_is_that_of_make(bundle: Bundle) -> Iterator[str]:
    (command,) = bundle.gate["tasks"][0]["dbt_task"]["commands"]
    words = shlex.split(command)
    if words[1 : words.index("--warn-error-options")] != bundle.gate_words:
        yield f"the job's gate runs {words}, make gate {bundle.gate_words}"
    if "NoNodesForSelectionCriteria" not in command:
        yield "a selector that finds nothing would make the gate green"
    names = [parameter["name"] for parameter in bundle.gate["parameters"]]
    if "'{{job.parameters.wave}}'" not in command or names != ["wave"]:
        yield "the gate does not take a wave"


def a_second_bad_night_is_told(bundle: Bundle) -> Iterator[str]:
    for name, alert in bundle.of("alerts").items():
        evaluation = alert["evaluation"]
        if not 0 < evaluation["notification"].get("retrigger_seconds", 0) < DAY:
            yield f"{name} tells the first bad night only"
        if evaluation.get("empty_result_state") != "TRIGGERED":
            yield f"{name} takes an empty answer for an all-clear"
        if not evaluation["notification"].get("subscriptions"):
            yield f"{name} tells nobody"


def staleness_needs_no_night(bundle: Bundle) -> Iterator[str]:
    if "alerts.staleness." in "".join(strings(bundle.config["resources"]["jobs"])):
        yield "the night evaluates staleness, which is there for nights that do not run"


def alerts_name_their_tables_in_full(bundle: Bundle) -> Iterator[str]:
    for name, alert in bundle.config["resources"]["alerts"].items():
        read = tables(alert["query_text"])
        if not read or not all(t.startswith("`${var.catalog}`.`${var.schema}`.") for t in read):
            yield f"{name} reads {read}"


def the_dashboard_is_placed_by_variables(bundle: Bundle) -> Iterator[str]:
    (dashboard,) = bundle.config["resources"]["dashboards"].values()
    if not (bundle.root / dashboard["file_path"]).is_file():
        yield f"there is no {dashboard['file_path']}"
    for key in ("catalog", "schema"):
        if dashboard.get(f"dataset_{key}") != f"${{var.{key}}}":
            yield f"dataset_{key} is not the variable"
    if "embed_credentials" not in dashboard:
        yield "whose rights the dashboard uses is left to a default"


def targets_are_dev_and_prod(bundle: Bundle) -> Iterator[str]:
    modes = {name: target.get("mode") for name, target in bundle.config["targets"].items()}
    if modes != {"dev": "development", "prod": "production"}:
        yield f"targets {modes}"
    targets = bundle.config["targets"]
    if "${workspace.current_user.short_name}" not in targets["dev"]["variables"].get("schema", ""):
        yield "dev writes into a record that others share"
    if targets["prod"].get("run_as") != {"service_principal_name": "${var.service_principal}"}:
        yield "prod does not run as the service principal"


def permissions_are_given_to_groups(bundle: Bundle) -> Iterator[str]:
    for kind, resources in bundle.config["resources"].items():
        for name, resource in resources.items():
            given = resource.get("permissions") or []
            groups = [permission.get("group_name", "") for permission in given]
            if not given or not all(re.fullmatch(r"\$\{var\.\w+\}", group) for group in groups):
                yield f"{kind}.{name}: permissions {given}"


def what_dbt_reads_is_deployed(bundle: Bundle) -> Iterator[str]:
    keys = [f"{kind}-paths" for kind in ("model", "macro", "seed", "test", "analysis")]
    folders = tuple(f"{path}/" for key in keys for path in bundle.settings[key])
    excluded = pathspec.GitIgnoreSpec.from_lines(bundle.config["sync"]["exclude"])
    for file in bundle.files:
        is_needed = file == "dbt_project.yml" or file.startswith(folders)
        if is_needed and excluded.match_file(file):
            yield f"{file} would not be deployed"
        if not is_needed and "/" in file and not excluded.match_file(file):
            yield f"{file} would be deployed, and nothing there reads it"


RULES = [
    fields_are_known, references_resolve, variables_are_described_and_used, record_comes_first,
    record_is_the_night, what_follows_runs_whatever_the_outcome, mail_is_sent_for_record_only,
    versions_are_locked, dbt_writes_where_the_variables_say, dbt_runs_on_serverless,
    runs_do_not_overlap_or_repeat, schedules_can_be_read, comparing_ends_before_it_is_ended,
    commands_are_dbt_s, the_gate_is_that_of_make, a_second_bad_night_is_told,
    staleness_needs_no_night, alerts_name_their_tables_in_full,
    the_dashboard_is_placed_by_variables, targets_are_dev_and_prod,
    permissions_are_given_to_groups, what_dbt_reads_is_deployed,
]  # fmt: skip
