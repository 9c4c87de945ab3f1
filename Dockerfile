# face-sign-in in a small image: the single executable on Debian, run by a user without rights.
#
#     docker build -t face-sign-in .
#     docker run -d --name face-sign-in -v face-sign-in:/data -p 127.0.0.1:8080:8080 \
#       -e BASE_URL=https://face.example -e TRUST_PROXY=1 --read-only --tmpfs /tmp:exec,mode=1777 \
#       --cap-drop ALL --security-opt no-new-privileges face-sign-in
#     docker exec face-sign-in face-sign-in app create --name Shop --origin https://shop.example
#
# The portal listens on the container's own loopback: only docker exec reaches it.
# With the executable at hand, the first stage is not needed: --build-context build=FOLDER, where FOLDER contains
# src/dist/face-sign-in.
ARG NODE=docker.io/library/node:26-bookworm@sha256:0353e48e0e8a993db87b720c242f54b207059d1bcc0106534896e8a11054c837
ARG BASE=docker.io/library/debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716

FROM ${NODE} AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM ${BASE}
LABEL org.opencontainers.image.title="face-sign-in" \
      org.opencontainers.image.description="Self-hosted face sign-in: one executable beside one database file." \
      org.opencontainers.image.licenses="MIT"
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists /var/cache/apt /var/log/apt /var/log/dpkg.log \
 && useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin face-sign-in \
 && install -d -o face-sign-in -g face-sign-in -m 0700 /data
COPY --from=build /src/dist/face-sign-in /usr/local/bin/face-sign-in
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV DATA_DIR=/data HOST=0.0.0.0
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["face-sign-in", "health"]
ENTRYPOINT ["face-sign-in"]
CMD ["serve"]
