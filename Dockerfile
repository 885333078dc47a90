# Two steps: the wheel and what it needs are installed into a virtual environment, and only that goes into the image.
FROM python:3.11-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE constraints.txt ./
COPY engine engine
COPY bot bot
COPY adapters adapters
COPY templates templates
RUN python -m venv /opt/vram && \
    /opt/vram/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt .

FROM python:3.11-slim
# Nobody's account: it owns nothing but the folder of the spool. The file system may be read-only, /data is a volume.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin vram && \
    install --directory --owner=vram --mode=0700 /data
COPY --from=build /opt/vram /opt/vram
ENV PATH=/opt/vram/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    VRAM_DATABASE_URL=sqlite:////data/vram.sqlite3 \
    VRAM_SPOOL=/data/vram.spool \
    VRAM_HTTP_HOST=0.0.0.0 \
    VRAM_HTTP_PORT=8080
USER 10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=3)"]
ENTRYPOINT ["vram"]
CMD ["serve"]
