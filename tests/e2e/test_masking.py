"""Values that may not be stored: rule mask, store_values hashed and none."""

import hashlib
import hmac
import json
import os

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

KEY = "a key that nobody may see"


def hashed(text):
    """HMAC-SHA256 of a text, as hex."""
    return hmac.new(KEY.encode(), text.encode(), "sha256").hexdigest()


@pytest.fixture(scope="module")
def ledger(project):
    """The rows of one night over pairs with values that may not be stored."""
    source = "select * from values (1, 'secret-a', 'x'), (2, 'secret-b', 'y') as t(id, v, w)"
    target = "select * from values (1, 'secret-c', 'X'), (3, 'secret-d', 'y') as t(id, v, w)"
    pairs = [
        project.pair("masked", source, target, key="id"),
        project.pair("masked_bag", source, target, key=""),
        project.pair("hashed", source, target, key="id", store_values="hashed"),
        project.pair("unstored", source, target, key="id", store_values="none"),
    ]
    rules = [{"pair_id": "masked*", "column_name": name, "rule": "mask"} for name in ("id", "v")]
    project.write_seeds(pairs, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RECON_MASK_KEY", KEY)
        outcome = project.night()
    assert outcome.success, outcome.output
    query = "select * from {schema}.audit_ledger where record_type <> 'run'"
    return project.rows(query)


def found(ledger, pair_id, diff_type, column=None):
    """The one difference of a kind that was recorded for a pair."""
    (row,) = [
        row
        for row in ledger
        if (row["pair_id"], row["diff_type"], row["target_column"]) == (pair_id, diff_type, column)
    ]
    return row


def test_masked_values_and_keys_are_their_hmac(ledger):
    row = found(ledger, "masked", "value_mismatch", "v")
    assert (row["source_value"], row["target_value"]) == (hashed("secret-a"), hashed("secret-c"))
    assert json.loads(row["record_key"]) == [hashed("1")]
    parts = json.dumps([row["source_value"], row["target_value"]], separators=(",", ":"))
    assert row["value_digest"] == hashlib.sha256(parts.encode()).hexdigest()
    assert found(ledger, "masked", "value_mismatch", "w")["source_value"] == "x"


def test_masked_parts_of_a_bag_row_are_their_hmac(ledger):
    rows = [row for row in ledger if row["pair_id"] == "masked_bag" and row["row_hash"]]
    assert len(rows) == 4
    for row in rows:
        shown = json.loads(row["source_value"] or row["target_value"])
        assert len(shown["id"]) == len(shown["v"]) == 64
        assert shown["w"] in ("x", "X", "y")


def test_values_are_hashed_or_left_out(ledger):
    row = found(ledger, "hashed", "value_mismatch", "w")
    assert (row["source_value"], row["target_value"]) == (hashed("x"), hashed("X"))
    assert row["record_key"] == "[1]"
    unstored = found(ledger, "unstored", "value_mismatch", "w")
    assert (unstored["source_value"], unstored["target_value"]) == (None, None)
    assert unstored["value_digest"] == row["value_digest"]


def test_which_key_hashed_them_is_recorded(ledger):
    ids = {row["mask_key_id"] for row in ledger if row["record_type"] == "pair_result"}
    assert ids == {hashlib.sha256(KEY.encode()).hexdigest()[:8]}


def test_no_secret_is_in_the_ledger_and_the_key_is_in_no_file(project, ledger):
    hidden = [row for row in ledger if row["pair_id"] != "hashed"]
    assert "secret-" not in json.dumps(hidden, default=str)
    files = [*(project.root / "target").rglob("*"), *(project.root / "logs").rglob("*")]
    texts = {path: path.read_bytes() for path in files if path.is_file()}
    assert [path for path, text in texts.items() if KEY.encode() in text] == []
    assert [path for path, text in texts.items() if b"secret-" in text] == []


def test_without_a_key_the_pair_is_an_error(project, ledger):
    assert "RECON_MASK_KEY" not in os.environ
    outcome = project.night(recon_pairs=["hashed"])
    assert outcome.success
    result = project.results()["hashed"]
    assert (result["status"], result["error_class"]) == ("error", "mask_key_missing")
    assert "RECON_MASK_KEY" in result["error_message"]
