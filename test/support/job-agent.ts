import { PassThrough } from 'node:stream'
import { findJob } from '../../src/cluster/join-job.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { startCrawl } from '../../src/crawl/start-crawl.ts'
import type { Summary } from '../../src/crawl/stats/stats.ts'
import { createLogger } from '../../src/logger.ts'
import { VisitIterator } from '../../src/output/visit-iterator.ts'
import type { Visit } from '../../src/records/visit.ts'

/** The result of an agent. */
interface AgentRun {
  readonly visits: readonly Visit[]
  readonly summary: Summary
}

export interface JobAgent {
  readonly ended: Promise<AgentRun>
  /** The log so far, as JSON lines. */
  log(): string
}

/**
 * Takes part in a job within this process, with separate connections and threads, like another `crawl` process but at a
 * third of the cost.
 */
export function startAgent(settings: ConfigInput): JobAgent {
  const stream = new PassThrough().setEncoding('utf8')
  let log = ''
  stream.on('data', (text: string) => {
    log += text
  })
  return { ended: run(settings, stream), log: () => log }
}

async function run(settings: ConfigInput, stream: PassThrough): Promise<AgentRun> {
  const config = resolveConfig({ workers: 1, ...settings })
  const logger = await createLogger({ level: 'info', stream, pretty: false })
  const queue = new VisitIterator()
  const job = await findJob(config, logger)
  const { finished } = startCrawl(config, { visits: queue, job }, logger)
  const visits: Visit[] = []
  for await (const visit of queue) visits.push(visit)
  return { visits, summary: await finished }
}
