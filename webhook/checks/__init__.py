"""The checks: one file a rule, each defines CHECK."""
