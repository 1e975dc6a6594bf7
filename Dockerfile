# One small image: Bun, the production packages and the sources; no build step.
FROM oven/bun:1.4.5-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production --omit=peer --silent

FROM oven/bun:1.4.5-slim
WORKDIR /app
# Bun's allocator returns free memory after so many milliseconds, and its heap grows as on a machine with so much: docs/decisions.md, "One Worker, and one collection in it"
ENV NODE_ENV=production DATA_DIR=/data MIMALLOC_PURGE_DELAY=20 BUN_JSC_forceRAMSize=600000000
ARG BUILD_VERSION BUILD_DATE GIT_COMMIT
ENV BUILD_VERSION=$BUILD_VERSION BUILD_DATE=$BUILD_DATE GIT_COMMIT=$GIT_COMMIT
COPY --from=packages /app/node_modules node_modules
COPY package.json tsconfig.json ./
COPY src src
RUN mkdir /data && chown bun:bun /data
USER bun
VOLUME /data
EXPOSE 5001
CMD ["bun", "src/main.ts"]
