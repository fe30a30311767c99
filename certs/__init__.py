"""Certificates: pairs, authorities and where a server gets its pair from; knows nothing of the webhook."""
