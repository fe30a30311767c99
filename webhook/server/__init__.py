"""The HTTPS server around the admission handler: TLS, HTTP, life cycle, logs and metrics."""
