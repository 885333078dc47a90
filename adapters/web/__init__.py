"""HTTP: one server for Slack's requests, for health checks, and for pages."""
