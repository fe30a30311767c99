"""The dialects: one file a vendor's spelling, each defines DIALECT."""
