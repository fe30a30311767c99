"""The output formats: one file, one format."""
