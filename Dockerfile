# The dashboard in a container: docker build -t ldpcore . && docker run --rm -p 127.0.0.1:8501:8501 ldpcore
# What is and is not safe with it: docs/serving.md.
ARG PYTHON=python:3.13-slim

FROM ${PYTHON} AS wheel
WORKDIR /source
COPY . .
RUN python3 -m venv /opt/ldpcore \
    && /opt/ldpcore/bin/pip install --no-cache-dir . \
    && /opt/ldpcore/bin/pip uninstall --yes pip

FROM ${PYTHON}
# A user without rights, and a folder that is not theirs either: the dashboard writes no file.
RUN useradd --system --no-create-home --shell /usr/sbin/nologin ldpcore
COPY --from=wheel /opt/ldpcore /opt/ldpcore
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HOME=/nonexistent
USER ldpcore
WORKDIR /opt/ldpcore
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/opt/ldpcore/bin/python", "-c", \
    "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# Inside a container 127.0.0.1 is the container alone, so it listens on all of its addresses; who reaches them is said
# by `docker run -p`: 127.0.0.1:8501:8501 is this machine only.
ENTRYPOINT ["/opt/ldpcore/bin/ldpcore", "dashboard", "--server.headless=true", "--server.address=0.0.0.0"]
