/** What all hosts at one address have in common with `--per-ip`; otherwise each host has its own. */
export class Budget {
  /** Requests, robots.txt included. */
  inFlight = 0
  /** No request before this time, in milliseconds of the monotonic clock. */
  notBefore = 0
}
