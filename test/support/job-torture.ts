import { setTimeout as sleep } from 'node:timers/promises'
import type { Visit } from '../../src/records/visit.ts'
import type { StartedGraph } from './graph-server.ts'
import { type JobProcess, startJobProcess } from './job-run.ts'
import type { Redis } from './redis-setups.ts'
import { gapsOf, type SiteServer } from './site-server.ts'

export interface JobTorture {
  readonly site: StartedGraph
  readonly redis: Redis
  /** A directory for the outputs. */
  readonly folder: string
  readonly job: string
  readonly args: readonly string[]
  readonly depth: number
  /** Milliseconds between two requests to a host. */
  readonly delay: number
  readonly processes: number
  /** Number of processes that are killed, each replaced by another. */
  readonly kills: number
  /** Number of times that Redis is killed and restarted. */
  readonly restarts: number
  /** Milliseconds between two disturbances. */
  readonly pause: number
}

/** Counts of a torture. */
export interface JobOrdeal {
  readonly kills: number
  readonly restarts: number
  readonly visits: number
  /** Number of URLs that are in the outputs more than once: in flight or unreported at a crash. */
  readonly twice: number
  readonly requests: number
  readonly repeats: number
}

/**
 * Kills processes of one job, and restarts Redis, while they crawl. Compares the union of their outputs with the truth.
 * @throws Error that describes the differences
 */
export async function tortureJob(torture: JobTorture): Promise<JobOrdeal> {
  const { site, folder, redis, job, depth, pause } = torture
  let started = 0
  const start = () => {
    const name = `p${started++}`
    const args = [...torture.args, '--delay', `${torture.delay}ms`, '--user-agent', name]
    return startJobProcess({ folder, name, redis: [redis.url], job, args })
  }
  const all: JobProcess[] = Array.from({ length: torture.processes }, start)
  const killed: JobProcess[] = []
  let restarts = 0
  while (killed.length < torture.kills || restarts < torture.restarts) {
    await sleep(pause)
    const alive = all.filter((each) => each.child.exitCode === null && !killed.includes(each))
    if (alive.length < torture.processes) break // the job is over
    if (restarts < torture.restarts && killed.length % 2 === 1) {
      restarts++
      await redis.kill()
      await sleep(pause / 4)
      await redis.run()
    }
    const victim = alive[killed.length % alive.length]
    if (victim === undefined || killed.length >= torture.kills) continue
    victim.child.kill('SIGKILL')
    killed.push(victim)
    all.push(start())
  }
  await expectGoodEnd(all.filter((each) => !killed.includes(each)))
  const [lost, kept] = await Promise.all([
    visitsOf(killed),
    visitsOf(all.filter((p) => !killed.includes(p))),
  ])
  compare(site.expected({ depth }), kept, lost)
  const dead = new Set(killed.map((each) => `p${all.indexOf(each)}`))
  for (const server of site.servers) checkRequests(server, dead, torture.delay)
  const requested = site.servers.flatMap(({ requests, url }) =>
    requests.map((each) => url + each.url),
  )
  const urls = new Set([...kept, ...lost].map(({ url }) => url))
  return {
    ...{
      kills: killed.length,
      restarts,
      visits: urls.size,
      twice: kept.length + lost.length - urls.size,
    },
    ...{ requests: requested.length, repeats: requested.length - new Set(requested).size },
  }
}

/** Checks that each URL is requested once, except by processes that died, and never too early. */
function checkRequests(server: SiteServer, dead: Set<string>, delay: number) {
  const { url: origin, requests } = server
  for (const [url, all] of Map.groupBy(requests, (request) => request.url)) {
    const processes = all.map(({ headers }) => headers['user-agent'] ?? '')
    if (processes.filter((name) => !dead.has(name)).length > 1)
      throw new Error(`asked for by ${processes}: ${origin}${url}`)
  }
  const gap = Math.min(...gapsOf(server))
  if (gap < delay) throw new Error(`asked again after ${gap} ms: ${origin}`)
}

async function expectGoodEnd(processes: readonly JobProcess[]): Promise<void> {
  for (const each of processes) {
    const code = await each.ended
    if (code !== 0) throw new Error(`ended with ${code}:\n${each.stderr()}`)
  }
}

async function visitsOf(processes: readonly JobProcess[]): Promise<Visit[]> {
  return (await Promise.all(processes.map((each) => each.visits()))).flat()
}

/** Checks that each URL has its true depth, and occurs twice only if one of the records is from a process that died. */
function compare(
  expected: ReturnType<StartedGraph['expected']>,
  kept: readonly Visit[],
  lost: readonly Visit[],
): void {
  const found = new Map(lost.map((visit) => [visit.url, visit]))
  const byUrl = Map.groupBy(kept, ({ url }) => url)
  const double = [...byUrl].filter(([, visits]) => visits.length > 1).map(([url]) => url)
  if (double.length > 0) throw new Error(`twice in outputs of processes that lived: ${double}`)
  for (const visit of kept) found.set(visit.url, visit)
  const missing = [...expected.keys()].filter((url) => !found.has(url))
  if (missing.length > 0) throw new Error(`missing: ${missing}`)
  const wrong = [...found.values()].filter(({ url, depth }) => expected.get(url)?.depth !== depth)
  if (wrong.length > 0)
    throw new Error(`wrong: ${wrong.map(({ url, depth }) => `${depth} ${url}`)}`)
}
