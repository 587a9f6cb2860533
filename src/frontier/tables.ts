/** States of a URL in the frontier. */
export const STATE = {
  ready: 0,
  inFlight: 1,
  visited: 2,
  failed: 3,
  forbidden: 4,
  skipped: 5,
} as const

export type State = (typeof STATE)[keyof typeof STATE]

/**
 * `urls` holds every URL ever discovered, once: `key` is a hash of `url`, narrow to index, and the
 * text beside it decides. `via` is the id of the page that named it. The index `ready` is the todo
 * queue: per host, shallowest first, then in order of discovery.
 *
 * `outlinks` holds what a page links to, for as long as a shorter path to that page may turn up
 * (`links` packed by wire/pack-links.ts; `beside` as JSON).
 */
export const TABLES = `
  CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE urls (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    url TEXT NOT NULL,
    host INTEGER NOT NULL REFERENCES hosts,
    state INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    sidesteps INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    hop TEXT NOT NULL,
    via INTEGER REFERENCES urls,
    attempts INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX urls_by_key ON urls (key);
  CREATE INDEX ready ON urls (host, depth, sidesteps, id) WHERE state = ${STATE.ready};
  CREATE TABLE outlinks (
    page INTEGER PRIMARY KEY REFERENCES urls,
    depth INTEGER NOT NULL,
    links BLOB,
    beside TEXT NOT NULL
  ) STRICT;
`
