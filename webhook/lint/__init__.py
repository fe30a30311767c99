"""The checker: files in, located findings out."""
