FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-slim AS console
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=optional --ignore-scripts
COPY core ./core
COPY console ./console
RUN node console/build.js
COPY README.md CONTRIBUTING.md CHANGELOG.md LICENSE NOTICE ./
COPY docs ./docs
COPY demo ./demo
COPY plugins ./plugins
COPY clients ./clients
COPY guide ./guide
RUN node guide/build.js

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8088 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE NOTICE ./
COPY core ./core
COPY adapters ./adapters
COPY --from=console /app/console/dist ./console/dist
COPY --from=console /app/guide/dist ./guide/dist
COPY plugins ./plugins
COPY config ./config
COPY cli ./cli
# Tries plugins that are mounted: docker run --rm -v "$PWD/acme:/plugins/acme:ro" <image> node plugin-kit/check-plugin.ts /plugins/acme
COPY plugin-kit ./plugin-kit
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# 4317 where OTLP_GRPC_PORT says so.
EXPOSE 8088 4317
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8088/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "config/start.js"]
