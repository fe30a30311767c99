"""AdmissionReview bytes in, AdmissionReview bytes out; no HTTP."""
