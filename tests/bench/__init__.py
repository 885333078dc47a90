"""Speed, measured: `make bench` prints it and keeps it in docs/benchmarks.md. Never part of the tests."""
