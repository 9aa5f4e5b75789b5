# The image of serverless-lrs: docker build --tag serverless-lrs .
# It runs as the user node, writes into the volume /data only, and has neither npm nor compilers.
FROM node:24-slim AS build
WORKDIR /lrs
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/build-image.mjs && npm run -s sbom > dist/image/sbom.json

FROM node:24-slim
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-* \
  && mkdir /data && chown node:node /data
COPY --from=build /lrs/dist/image /lrs
USER node
# The database of SQLite, the certificate that the server makes for HTTPS, and config/lrs.json if there is one.
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production
EXPOSE 8080 8443
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/lrs/healthy.mjs"]
ENTRYPOINT ["node", "/lrs/serve.mjs"]
