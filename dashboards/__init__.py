"""The dashboard as a file: its parts, the script that builds it, and what checks it."""
