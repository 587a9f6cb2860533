import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: they wait for browsers, pauses and timeouts more than they compute. */
const SLOW = [
  ...['crawl/rendering', 'crawl/outages', 'render/page-renderer', 'docs/commands'],
  ...['cli/damaged-state', 'crawl/deadly-hooks', 'cli/deterministic', 'crawl/politeness'],
  ...['cli/state', 'cluster/shortages', 'code-checks'],
].map((name) => `/test/${name}.test.ts`)

/** Runs the slow files first, so that none of them runs alone at the end. A fresh clone has no recorded durations. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((name) => moduleId.endsWith(name))
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
