/** States of a URL in the frontier. */
export const STATE = {
  ready: 0,
  inFlight: 1,
  visited: 2,
  failed: 3,
  forbidden: 4,
  skipped: 5,
  deferred: 6,
  marked: 7,
  forgotten: 8,
  hostFailed: 9,
} as const

/** Value of `due` for a host in memory. */
export const IN_MEMORY = -1

/** A host with URLs that wait is taken up some time. */
export const IS_TAKEN_UP = `ifnull(typeof(hosts.due) = 'integer' AND (
  hosts.due > ${IN_MEMORY} AND hosts.dormant IN (0, 1) OR hosts.due = ${IN_MEMORY} AND hosts.dormant = 0), false)`

/** In no state that there is. */
export const IS_ASTRAY = `ifnull(state, -1) NOT IN (${Object.values(STATE).join()})`

export type State = (typeof STATE)[keyof typeof STATE]

/**
 * `urls` holds every URL ever discovered, once: `key` is a hash of `url`, narrow to index, and the
 * text beside it decides. `via` is the id of the page that named it. The index `ready` is the todo
 * queue: per host, shallowest first, then in order of discovery. `deferred` is the same for URLs that
 * look like a trap, and wait until their host has nothing else; `in_flight` is what a resumed crawl
 * begins with. In `astray` there is never any: a URL in no known state would be left out, and nobody would know.
 * `attempts` counts how often a URL was handed out, `failures` how often that came to nothing by an answer or its
 * absence, not by the end of a worker or the process.
 *
 * A URL that is `hostFailed` was left when its host was given up. One that is `marked` was met by another way than the crawl, and is left alone; one that is
 * `forgotten` counts as never met, and waits again when it is discovered again.
 *
 * `hosts` holds hosts by name and port, with the time before which they are not to be asked, the pause
 * that `--adaptive` keeps, how many pages they were asked for, how many failures in a row they had, how
 * often they asked to be left alone for too long, why they were given up, a URL
 * that they answered well (their witness), and since when they have been away. Those with URLs that wait have a time in `due` from which on they may be taken
 * into memory, or -1 while they are there; `dormant` is 1 where that is not worth waiting for alone.
 * `robots` holds what robots.txt of their origins says, as JSON. Times are milliseconds since 1970.
 *
 * `plain_urls` holds pages whose URLs have a part that may make no difference (traps/alias.ts): hashes of
 * the URL without that part, of the URL by which it was visited first, and of what it showed; these are null
 * for what can't be compared. `url_marks` counts, by the hash of host and part, how often two such pages were
 * the same; `pages` tells, as JSON, hashes of a few of them.
 *
 * `outlinks` holds what a page links to, for as long as a shorter path to that page may turn up
 * (`links` packed by messages/pack-links.ts; `beside` as JSON).
 */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS hosts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    not_before INTEGER NOT NULL DEFAULT 0,
    pause REAL NOT NULL DEFAULT 0,
    pages INTEGER NOT NULL DEFAULT 0,
    errors INTEGER NOT NULL DEFAULT 0,
    demands INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    witness TEXT,
    away_since INTEGER,
    due INTEGER,
    dormant INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS hosts_by_due ON hosts (dormant, due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS robots (
    origin TEXT PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts,
    until INTEGER NOT NULL,
    answer TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS robots_by_host ON robots (host);
  CREATE TABLE IF NOT EXISTS urls (
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
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS urls_by_key ON urls (key);
  CREATE INDEX IF NOT EXISTS ready ON urls (host, depth, sidesteps, id) WHERE state = ${STATE.ready};
  CREATE INDEX IF NOT EXISTS deferred ON urls (host, depth, sidesteps, id)
    WHERE state = ${STATE.deferred};
  CREATE INDEX IF NOT EXISTS in_flight ON urls (id) WHERE state = ${STATE.inFlight};
  CREATE INDEX IF NOT EXISTS astray ON urls (id) WHERE ${IS_ASTRAY};
  CREATE TABLE IF NOT EXISTS plain_urls (
    key INTEGER PRIMARY KEY,
    url INTEGER NOT NULL,
    shown INTEGER,
    words INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS url_marks (
    key INTEGER PRIMARY KEY,
    host TEXT NOT NULL,
    mark TEXT NOT NULL,
    same INTEGER NOT NULL,
    same_words INTEGER NOT NULL,
    different INTEGER NOT NULL,
    pages TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outlinks (
    page INTEGER PRIMARY KEY REFERENCES urls,
    depth INTEGER NOT NULL,
    links BLOB,
    beside TEXT NOT NULL
  ) STRICT;
`
