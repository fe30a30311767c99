"""The pure core: a Kubernetes object in, a verdict out; nothing but the standard library."""
