# docker build -t orbweaver . && docker run --rm orbweaver example.com > visits.jsonl
# A release names the image by its digest: --build-arg NODE_IMAGE=node@sha256:...
ARG NODE_IMAGE=node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
# The package as npm would publish it, with its dependencies as the lock file has them. The files of a checkout may be
# readable by their owner only (umask 077).
RUN npm ci && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed \
  && npm ci --omit=dev --omit=optional --ignore-scripts \
  && mkdir /orbweaver && tar -xzf /packed/orbweaver-*.tgz -C /orbweaver --strip-components=1 \
  && mv node_modules /orbweaver/ \
  && chmod -R a+rX /orbweaver

FROM ${NODE_IMAGE}
# The first process of a container has to remove the entries of ended processes, such as those of a browser.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
COPY --from=build /orbweaver/ /opt/orbweaver/
RUN ln -s /opt/orbweaver/bin/crawl.js /usr/local/bin/crawl
# Threads share one heap of malloc, which returns what is free: docs/limits.md has what that saves.
ENV MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=262144
# For files of output and --state: docker run -v "$PWD:/crawl" --user "$(id -u):$(id -g)" ...
WORKDIR /crawl
RUN chown node:node /crawl
USER node
ENTRYPOINT ["tini", "--", "crawl"]
