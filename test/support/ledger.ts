import type { Ledger } from '../../src/state/ledger.ts'

/** The ledger of a crawl that has not done anything yet. */
export const ledger: Ledger = {
  progress: 'running',
  positions: {},
  tally: {
    elapsedMs: 0,
    visits: 0,
    bytes: 0,
    postponed: 0,
    round: 1,
    visitsBefore: 0,
    statuses: [],
    errors: [],
  },
  seeds: { answered: 0, failures: [], joined: [] },
  ...{ widened: [], deepest: 0, counters: [], skips: [], cookies: [] },
  givenUp: { first: [], count: 0, hadAnswered: 0 },
  seen: { added: 0, bytes: 0, fill: 0, falsePositiveRate: 0, expectedLost: 0 },
}
