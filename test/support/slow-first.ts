import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: they wait for browsers, pauses and timeouts more than they compute. */
const SLOW = [
  ...['render/page-renderer', 'crawl/outages', 'crawl/rendering', 'crawl/deadly-hooks'],
  ...['code-checks', 'cluster/agent/job-member', 'cluster/shortages', 'docs/commands'],
  ...['crawl/politeness', 'cli/state', 'cluster/access', 'cluster/takeover', 'login/log-in'],
].map((name) => `/test/${name}.test.ts`)

/** Number of slow files that begin at once: while more of them wait at the same time, processors are idle. */
const AT_ONCE = 3
/** Number of short files for each longer one. */
const SHORT = 5

/**
 * Runs the slow files early, so that none of them runs alone at the end, and short ones beside them, which compute more
 * than they wait. A fresh clone has no recorded durations.
 */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slow = SLOW.flatMap((name) => files.filter(({ moduleId }) => moduleId.endsWith(name)))
    const others = (await super.sort(files)).filter((file) => !slow.includes(file))
    const long = [...slow.slice(AT_ONCE), ...others]
    const short = long.splice(Math.ceil(long.length / (1 + SHORT))).toReversed()
    const mixed = long.flatMap((file) => [file, ...short.splice(0, SHORT)])
    return [...slow.slice(0, AT_ONCE), ...mixed]
  }
}
