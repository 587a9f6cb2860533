/**
 * The measured costs from which plans of large crawls are computed, each with the command that measures it. They were
 * measured on two cores of an AMD EPYC that also did other work. Plans for more cores and machines are extrapolated.
 */
export const MEASURED_COSTS = {
  /**
   * Microseconds of CPU for a page over TLS on one of many hosts, without the costs of its bytes and links.
   * `node bench/many-hosts.ts --hosts 2000 --pages 21 --tls -- --allow-private --scope any`, minus the cost of 7 kB
   */
  pageMicros: 890,
  /** Additional microseconds of CPU for a page on a new connection: the difference between `--delay 5s` and none. */
  connectionMicros: 1_300,
  /** Milliseconds for which an idle connection is kept (docs/limits.md). */
  keptMs: 4_000,
  /** Microseconds of CPU for each byte of a page: the same command without `--tls`, with `--size 100000`. */
  byteMicros: 0.003,
  /** Microseconds of CPU for each link to a known URL: the same command without `--tls`, with `--links 400`. */
  linkMicros: 0.26,
  /** Microseconds of the main thread for a page, measured in the same run. */
  coordinatorMicros: 125,
  /** Share of the cores that crawling keeps busy: `node bench/redis-throughput.ts`, 1.7 of 2. */
  busyShare: 0.85,
  /** Peak memory of a process in bytes, without the seen set: `node bench/many-hosts.ts --hosts 2000 --tls`. */
  processBytes: 560e6,
  /** Bytes of a line of `-f jsonl`: `node bench/many-hosts.ts`. */
  recordBytes: 252,
  /** Bytes of `--state` for a waiting URL of 63 characters: `node bench/queue-state.ts`. */
  waitingStateBytes: 133,
  /** The same for a visited page: `node bench/many-hosts.ts -- --state <dir>`, plus 37 since its URLs are shorter. */
  visitedStateBytes: 250,
  /** Costs of a job's Redis servers: `node bench/redis-costs.ts --hosts 2000 --urls 50`. */
  redis: {
    /** Bytes of memory for a waiting URL of 53 characters, including the URL of the page that links to it. */
    waitingBytes: 170,
    /** A host with URLs: bytes of memory, and microseconds of CPU for its lease. The same command with `--urls 2`. */
    hostBytes: 390,
    hostMicros: 40,
    /** Adding a URL: bytes sent to the server, and microseconds of its CPU. */
    pushInBytes: 208,
    pushMicros: 8,
    /** Handing a page out and reporting that it is finished: bytes to and from the server, microseconds of its CPU. */
    pageInBytes: 255,
    pageOutBytes: 256,
    pageMicros: 40,
    /** Microseconds of CPU for dropping a URL that is already known when its turn comes. */
    knownMicros: 10,
  },
} as const

/** Properties of the web that plans assume. */
export const ASSUMED = {
  /** URLs found for each crawled page: 41e9 on 6.3e9 pages (IRLbot, Lee et al. 2008). */
  urlsPerPage: 6.5,
  /** Links of a page: 394e9 on 6.3e9 pages (IRLbot). */
  linksPerPage: 62,
  /** Share of the links that lead to other hosts: a guess. */
  linksToOtherHosts: 0.25,
} as const
