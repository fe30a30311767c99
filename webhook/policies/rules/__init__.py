"""The checks as CEL: one file a check, each defines RULE."""
