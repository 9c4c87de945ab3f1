# The single executable in an image without a shell's tools beyond Debian's own, run by a user without rights.
#
#     docker build -t face-sign-in .
#     docker run -d --name face-sign-in -v face-sign-in:/data -p 127.0.0.1:8080:8080 \
#       -e BASE_URL=https://face.example -e TRUST_PROXY=1 --read-only --tmpfs /tmp:exec,mode=1777 \
#       --cap-drop ALL --security-opt no-new-privileges face-sign-in
#     docker exec face-sign-in face-sign-in app create --name Shop --origin https://shop.example
#
# The portal listens on the container's own loopback: docker exec reaches it, nobody else does.
#
# No container engine was at hand where this was written: its steps were tried one by one, the image was never built.

FROM node:26-bookworm AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts && npm run build

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin face-sign-in \
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
