"""HTTP: one server for the health of the process, signed Slack requests and the pages of the log."""
