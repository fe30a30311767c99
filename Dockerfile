# The tag pins the minor version of Python and the release of Debian. Pin the digest as well where you build for
# production (python:3.13-slim-trixie@sha256:…): it is a fact of your registry mirror, so it cannot stand here.
FROM python:3.13-slim-trixie AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /src
COPY requirements-build.lock requirements.lock ./
# Wheels only, each with its hash: what has none for this platform fails here instead of being compiled.
RUN pip install --require-hashes --only-binary :all: --requirement requirements-build.lock \
 && pip download --require-hashes --only-binary :all: --dest /wheels --requirement requirements.lock
COPY pyproject.toml README.md LICENSE hatch_build.py ./
COPY webhook webhook
COPY certs certs
# Told by `percard --version`: --build-arg REVISION="$(git rev-parse HEAD)"
ARG REVISION=""
# The root file system is read-only at run time: bytecode is compiled here, and never checked against its source again.
RUN SOURCE_REVISION="$REVISION" pip wheel --no-index --no-deps --no-build-isolation --wheel-dir /wheels . \
 && python -m venv --without-pip /opt/percard \
 && pip --python /opt/percard/bin/python install --no-index --no-compile --find-links /wheels --require-hashes --requirement requirements.lock \
 && pip --python /opt/percard/bin/python install --no-index --no-compile --no-deps /wheels/percard-*.whl \
 && python -m compileall -q --invalidation-mode unchecked-hash /opt/percard/lib

FROM python:3.13-slim-trixie
LABEL org.opencontainers.image.title="percard" \
      org.opencontainers.image.description="Admission webhook and manifest checker for GPU sharing over several cards" \
      org.opencontainers.image.licenses="Apache-2.0"
ARG REVISION=""
LABEL org.opencontainers.image.revision="$REVISION"
ENV PATH=/opt/percard/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
COPY --from=build /opt/percard /opt/percard
# A number, so that runAsNonRoot can be checked without reading /etc/passwd.
USER 65532:65532
# 8443 admission over TLS, 8080 probes and metrics
EXPOSE 8443 8080
ENTRYPOINT ["/opt/percard/bin/percard"]
CMD ["serve"]
