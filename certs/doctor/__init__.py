"""Examines an installation from a workstation: reads, changes nothing, says what to do."""
