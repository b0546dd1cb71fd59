# Fogline in a container: serves on port 8000, keeps its database in /data.
ARG BASE=debian:trixie-slim

FROM ${BASE} AS build

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock /tmp/
RUN python3 -m venv /opt/fogline/venv \
    && /opt/fogline/venv/bin/pip install --no-cache-dir --disable-pip-version-check \
        --require-hashes -r /tmp/requirements.lock \
    && /opt/fogline/venv/bin/pip uninstall --yes pip
COPY app /opt/fogline/app
COPY migrations /opt/fogline/migrations
COPY locales /opt/fogline/locales
COPY static /opt/fogline/static
COPY templates /opt/fogline/templates
RUN python3 -m compileall -q /opt/fogline/app /opt/fogline/migrations

FROM ${BASE}

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates python3 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 fogline \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin fogline \
    && install --directory --owner=fogline --group=fogline /data
COPY --from=build /opt/fogline /opt/fogline
COPY --chmod=755 deploy/image/ /usr/local/bin/
ENV FOGLINE_HOST=0.0.0.0 \
    FOGLINE_DATA_DIR=/data \
    FOGLINE_METRICS_PORT=9090 \
    PYTHONDONTWRITEBYTECODE=1
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["healthy"]
CMD ["fogline", "serve"]
