import { URL_STATE } from './stored-url.ts'

/** The value of `due` for a host in memory. */
export const IN_MEMORY = -1

/** Condition for a row of `hosts` with valid values: if the host has waiting URLs, it will have its turn. */
export const IS_TAKEN_UP = `ifnull(typeof(hosts.due) = 'integer' AND (
  hosts.due > ${IN_MEMORY} AND hosts.dormant IN (0, 1) OR hosts.due = ${IN_MEMORY} AND hosts.dormant = 0), false)`

const STATES = Object.values(URL_STATE)
/**
 * Condition for a row of `urls` in an unknown state. The known states are consecutive numbers. SQLite evaluates the
 * condition whenever a URL changes its state, and would take three times as long for a list of states.
 */
export const IS_ASTRAY = `ifnull(state, -1) NOT BETWEEN ${Math.min(...STATES)} AND ${Math.max(...STATES)}`

/**
 * `urls` contains every URL that was found, once. `key` is a short hash of `url` for the index. If hashes are equal,
 * the text of `url` decides.
 * `via` is the id of the page that links to it. Its indexes:
 * - `ready` is the queue: per host, shallowest first, then in the order of discovery.
 * - `deferred` is the same for URLs that look like a trap: they wait until their host has no other URLs.
 * - `in_flight` finds the URLs that were in flight when a run ended: a resumed crawl makes them ready first.
 * - `astray` finds URLs in an unknown state, which the crawl would silently leave out. It is empty unless the database
 *   is damaged.
 *
 * `attempts` counts how often a URL was handed out. `failures` counts attempts that failed because of the response or
 * its absence, not because a worker or the process ended. A URL is `hostFailed` if its host was given up before the URL
 * was fetched. It is `marked` if the user marked it as seen: it is not fetched. It is `forgotten` if it counts as never
 * found: it waits again when it is found again.
 *
 * `hosts` contains hosts by name and port:
 * - `not_before`: no request before this time. `pause`: the pause of `--adaptive`. `pages`: pages requested.
 * - `errors`: failures in a row. `demands`: how often the host asked for too long a pause. `failure`: why it was
 *   given up. `answered_url`: a URL that it answered. `away_since`: since when it has been away.
 * - `due`: when a host with waiting URLs may be loaded into memory, or -1 while it is there. `dormant`: 1 if the crawl
 *   doesn't wait for this time.
 *
 * `robots` contains the robots.txt of origins, as JSON. Times are milliseconds since 1970.
 *
 * `plain_urls` contains pages whose URLs have a part that may make no difference (traps/url-alias.ts). Its columns are
 * hashes: `key` of the URL without that part, `url` of the URL by which the page was visited first, `shown` and `words`
 * of its content. The last two are null for content that can't be compared. `url_marks` counts, by the hash of host and
 * part, how often two such pages were the same. Its column `pages` has hashes of a few of them, as JSON.
 *
 * `outlinks` contains the links of a page while a shorter path to the page may be found. `links` are packed by
 * messages/pack-links.ts. `same_depth` is JSON with the URLs at the depth of the page.
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
    answered_url TEXT,
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
    same_depth_hops INTEGER NOT NULL,
    redirects INTEGER NOT NULL,
    hop TEXT NOT NULL,
    via INTEGER REFERENCES urls,
    attempts INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS urls_by_key ON urls (key);
  CREATE INDEX IF NOT EXISTS ready ON urls (host, depth, same_depth_hops, id) WHERE state = ${URL_STATE.ready};
  CREATE INDEX IF NOT EXISTS deferred ON urls (host, depth, same_depth_hops, id)
    WHERE state = ${URL_STATE.deferred};
  CREATE INDEX IF NOT EXISTS in_flight ON urls (id) WHERE state = ${URL_STATE.inFlight};
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
    same_depth TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outlinks_by_depth ON outlinks (depth);
`
