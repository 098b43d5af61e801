"""What recon says, read from its own tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Rows = list[dict[str, Any]]

LAST_NIGHT = """
SELECT pair_id, status, mismatch_count
FROM recon.audit_ledger
WHERE record_type = 'pair_result' AND run_ts = (SELECT MAX(run_ts) FROM recon.audit_ledger)
ORDER BY pair_id
"""
LAST_COUNTER = """
SELECT open_mismatches FROM recon.parity_counter_history ORDER BY run_ts DESC LIMIT 1
"""
COUNTER = "SELECT counter, is_green, sentence FROM recon.parity_counter"
HEAT_MAP = """
SELECT pair_id, run_date, status, mismatch_count
FROM recon.mismatch_heat_map
ORDER BY pair_id, run_date
"""
PAIRS = "SELECT pair_id, state, sentence FROM recon.pair_status ORDER BY sort_order, pair_id"
# An alarm goes first, whatever the number of differences.
DRIFT = """
SELECT drift.pair_id, drift.drift, alerts.run_date AS since, drift.sentence
FROM recon.baseline_drift AS drift
LEFT JOIN recon.drift_alerts AS alerts ON drift.pair_id = alerts.pair_id AND alerts.is_open
WHERE drift.run_ts = (SELECT MAX(run_ts) FROM recon.audit_ledger)
ORDER BY COALESCE(alerts.rank, 1000), drift.pair_id
"""
CLOSED = """
SELECT
    lifecycle.pair_id, events.action, events.resolved_by, events.reason,
    events.expires_ts, lifecycle.state, COUNT(*) AS mismatches
FROM recon.resolution_events AS events
INNER JOIN recon.mismatch_lifecycle AS lifecycle USING (mismatch_id, episode)
GROUP BY ALL
ORDER BY MIN(events.event_ts), lifecycle.pair_id
"""
GATE = "SELECT wave, pair_id, reason, sentence FROM recon.gate_findings ORDER BY wave, pair_id"


def read(spark: SparkSession, query: str) -> Rows:
    """Return the rows of a query as dictionaries."""
    return [row.asDict() for row in spark.sql(query).collect()]
