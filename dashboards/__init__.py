"""The dashboard: the file a workspace shows, and the same picture on this machine."""
