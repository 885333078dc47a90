"""The steps that bring a database to the tables of today. One change a revision; the release before keeps working."""
