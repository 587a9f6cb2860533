import { readFileSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { RedisServer } from '../../test/support/redis-server.ts'
import { type MeasuredCrawl, startMeasured } from './measured-crawl.ts'
import { reportCrawl } from './report.ts'
import type { ServedWeb } from './served-web.ts'

const LEASE = '10s'
/** Share of the requests that were sent when one of the processes is killed. */
const DEATH_SHARE = 0.2
const POLL_MS = 100

/** Crawls a web with several numbers of processes in turn. They have one worker each, and share a job over Redis. */
export async function crawlAsJob(
  served: ServedWeb,
  folder: string,
  numbers: readonly number[],
  kills: boolean,
  flags: readonly string[],
): Promise<void> {
  for (const [turn, processes] of numbers.entries()) {
    const redis = await RedisServer.start('--appendonly', 'yes')
    await served.ask({ type: 'next crawl', crawl: 0 })
    const job = ['--frontier', redis.url, '--job', `web-${turn}`, '--lease', LEASE]
    const own = ['-w', '1', '-c', '16', '--timeout', '5s', ...flags]
    const crawls = Array.from({ length: processes }, (_, index) =>
      startMeasured(folder, `${turn}-${index}`, [
        ...[...served.flags, ...job, ...own, '--user-agent', agentName(index)],
      ]),
    )
    if (kills) await killFirst(served, crawls)
    const costs = await Promise.all(crawls.map(({ ended }) => ended))
    if (kills) dropIncompleteLine(crawls[0]?.files.visits)
    const server = await served.ask({ type: 'report' })
    const differences = await served.truth.compare(crawls.map(({ files }) => files))
    console.log(`\n${processes} process(es) of one worker:`)
    reportCrawl(costs, server, differences)
    await redis.close()
  }
}

function agentName(index: number): string {
  return `bench-${index}`
}

async function killFirst(served: ServedWeb, [first]: readonly MeasuredCrawl[]): Promise<void> {
  if (first === undefined) return
  while ((await served.ask({ type: 'report' })).requests < served.truth.reached * DEATH_SHARE)
    await sleep(POLL_MS)
  // The server kills the process, since it knows the requests in flight at that moment.
  await served.ask({ type: 'kill', pid: first.pid, agent: agentName(0) })
}

function dropIncompleteLine(file: string | undefined): void {
  if (file !== undefined) truncateSync(file, readFileSync(file).lastIndexOf('\n') + 1)
}
