/**
 * The measured costs that plans of large crawls are computed from, each with the command that measures it. Figures are
 * of two cores of an AMD EPYC, shared with other work, so other numbers of cores and machines are extrapolated.
 */
export const MEASURED_COSTS = {
  /**
   * Microseconds of CPU for a page on one of many hosts over TLS, with no bytes and no links beyond the first ones.
   * `node bench/many-hosts.ts --hosts 2000 --pages 21 --tls -- --allow-private --scope any`, less 7 kB
   */
  pageMicros: 890,
  /** Microseconds of CPU more for a page on a new connection: the difference of `--delay 5s` and none. */
  connectionMicros: 1_300,
  /** Milliseconds for which an idle connection is kept (docs/limits.md). */
  keptMs: 4_000,
  /** Microseconds of CPU for each byte of a page: the same without `--tls`, with `--size 100000`. */
  byteMicros: 0.003,
  /** Microseconds of CPU for each link that is known: the same without `--tls`, with `--links 400`. */
  linkMicros: 0.26,
  /** Microseconds of the main thread for a page: in the same run. */
  coordinatorMicros: 125,
  /** Share of the cores that crawling keeps busy: `node bench/redis-throughput.ts`, 1.7 of 2. */
  busyShare: 0.85,
  /** Bytes of a process at its peak, but for the seen set: `node bench/many-hosts.ts --hosts 2000 --tls`. */
  processBytes: 560e6,
  /** Bytes of a line of `-f jsonl`: `node bench/many-hosts.ts`. */
  recordBytes: 252,
  /** Bytes of a state for a URL of 63 characters that waits: `node bench/queue-state.ts`. */
  waitingStateBytes: 133,
  /** The same for a page that was visited: `node bench/many-hosts.ts -- --state <dir>`, 37 characters added. */
  visitedStateBytes: 250,
  /** Costs of the Redis of a job: `node bench/redis-costs.ts --hosts 2000 --urls 50`. */
  redis: {
    /** Bytes of memory for a URL of 53 characters that waits, with that of its page. */
    waitingBytes: 170,
    /** Each host that has URLs: bytes of memory, and microseconds of CPU for its lease; the same with `--urls 2`. */
    hostBytes: 390,
    hostMicros: 40,
    /** Adding a URL: bytes to the server, and microseconds of its CPU. */
    pushInBytes: 208,
    pushMicros: 8,
    /** Handing a page out, and reporting that it is finished. */
    pageInBytes: 255,
    pageOutBytes: 256,
    pageMicros: 40,
    /** Dropping a URL that is known at its turn. */
    knownMicros: 10,
  },
} as const

/** Properties of the web that plans assume. */
export const ASSUMED = {
  /** URLs that are met for each page that is crawled: 41e9 for 6.3e9 (IRLbot, Lee et al. 2008). */
  urlsPerPage: 6.5,
  /** Links of a page: 394e9 on 6.3e9 (IRLbot). */
  linksPerPage: 62,
  /** Share of the links that lead to other hosts: a guess. */
  linksToOtherHosts: 0.25,
} as const
