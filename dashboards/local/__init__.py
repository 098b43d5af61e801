"""The dashboard file drawn as one HTML page, without a workspace and without a network."""
