# Laurel's service: docker build -t laurel . && docker run --name laurel -v learners:/var/lib/laurel laurel
# Its first key: docker exec laurel cat laurel.db.first-key. Packaging/compose.yaml puts it behind a proxy.
FROM swift:6.3-bookworm AS build
WORKDIR /laurel
RUN apt-get update -q && apt-get install -q -y --no-install-recommends make
COPY . .
RUN make deb

FROM debian:12-slim
COPY --from=build /laurel/laurel_*.deb /tmp/
RUN apt-get update -q && apt-get install -q -y --no-install-recommends /tmp/laurel_*.deb ca-certificates curl && rm -rf /tmp/laurel_*.deb /var/lib/apt/lists/*
USER laurel
WORKDIR /var/lib/laurel
VOLUME /var/lib/laurel
ENV LAUREL_STORE=/var/lib/laurel/laurel.db LAUREL_LISTEN=0.0.0.0:8080 LAUREL_LOG=json
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["laurel"]
CMD ["serve"]
