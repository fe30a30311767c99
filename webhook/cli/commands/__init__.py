"""The commands: one file, one command, imported when it is called."""
