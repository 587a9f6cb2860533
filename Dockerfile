# docker build -t orbweaver . && docker run --rm orbweaver example.com > visits.jsonl
FROM node:24-slim AS build
WORKDIR /build
COPY . .
# npm pack makes no directory.
RUN npm ci && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed

FROM node:24-slim
COPY --from=build /packed/ /packed/
RUN npm install --global --omit=dev --no-audit --no-fund /packed/orbweaver-*.tgz \
  && npm cache clean --force \
  && rm -r /packed
# For files of output and --state: docker run -v "$PWD:/crawl" --user "$(id -u):$(id -g)" ...
WORKDIR /crawl
RUN chown node:node /crawl
USER node
ENTRYPOINT ["crawl"]
