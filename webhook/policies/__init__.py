"""The same rules without a server: Kubernetes' own admission policies, generated from dialects, checks and settings."""
