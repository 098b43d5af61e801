"""The Python models' functions, loaded by path as dbt ships the files."""

import importlib.util
from pathlib import Path

import pytest

COMPARE = Path(__file__).resolve().parents[2] / "models/compare"


def load_model(name):
    """A Python model as a module."""
    spec = importlib.util.spec_from_file_location(name, COMPARE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def plans():
    """The functions of int_recon__pair_plans."""
    return load_model("int_recon__pair_plans")


@pytest.fixture(scope="session")
def comparisons():
    """The functions of int_recon__comparisons."""
    return load_model("int_recon__comparisons")
