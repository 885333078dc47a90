"""The terminal: the words of a command line are the question."""
