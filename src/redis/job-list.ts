import { CrawlerError } from '../errors.ts'
import { fieldsOf, JOBS_KEY, type JobState, jobKey, stateOf, turnJob } from './job.ts'
import { partitionKey } from './partitions.ts'
import type { Servers } from './servers.ts'

/** How far a job has come. */
export interface JobReport {
  readonly job: string
  readonly state: JobState
  readonly created: string
  /** Agents that are there. */
  readonly agents: number
  /** Records, of all agents that ever were. */
  readonly visits: number
  readonly bytes: number
  /** URLs that were ever enqueued, known or not. */
  readonly added: number
  /** URLs that are not finished. */
  readonly open: number
  /** Hosts that somebody holds. */
  readonly held: number
}

/** Names of the jobs on these servers, in order. */
export async function jobNames(servers: Servers): Promise<string[]> {
  const names = new Set<string>()
  for (const server of servers.all) {
    const reply = await server.command(JOBS_KEY, 'HKEYS', JOBS_KEY)
    if (Array.isArray(reply)) for (const name of reply) names.add(String(name))
  }
  return [...names].toSorted()
}

/** @throws CrawlerError('usage') when there is no such job */
export async function showJob(servers: Servers, job: string): Promise<JobReport> {
  const home = servers.of(jobKey(job))
  const fields = fieldsOf(await home.command(jobKey(job), 'HGETALL', jobKey(job)))
  if (fields['state'] === undefined) throw noJob(job)
  const agents = jobKey(job, 'agents')
  const doing = fieldsOf(await home.command(jobKey(job), 'HGETALL', jobKey(job, 'doing')))
  const done = Object.values(doing).map((text) => JSON.parse(text))
  const sum = (field: string) => done.reduce((total, each) => total + Number(each[field]), 0)
  return {
    job,
    state: stateOf(fields['state']),
    created: fields['created'] ?? '',
    agents: Number(await home.command(agents, 'ZCARD', agents)),
    visits: sum('visits'),
    bytes: sum('bytes'),
    ...(await totals(servers, job, Number(fields['partitions']))),
  }
}

/** What can be done to a job. */
export const JOB_TURNS = ['pause', 'resume', 'stop'] as const
export type JobTurn = (typeof JOB_TURNS)[number]

const TURNS = {
  pause: { state: 'paused', from: ['running', 'paused'] },
  resume: { state: 'running', from: ['running', 'paused', 'stopped'] },
  stop: { state: 'stopped', from: ['running', 'paused', 'stopped'] },
} as const satisfies Record<JobTurn, { state: JobState; from: readonly JobState[] }>

/** @throws CrawlerError('usage') when there is no such job, or its state doesn't allow it */
export async function controlJob(servers: Servers, job: string, turn: JobTurn): Promise<JobState> {
  const { state, from } = TURNS[turn]
  const now = await turnJob(servers, job, state, from)
  if (now === undefined) throw noJob(job)
  if (now === state) return now
  throw new CrawlerError('usage', `job ${job}: expected one that can ${turn}, got a ${now} one`)
}

/**
 * Removes all of a job.
 * @throws CrawlerError('usage') while agents take part in it
 */
export async function deleteJob(servers: Servers, job: string): Promise<void> {
  const { agents, state } = await showJob(servers, job)
  if (agents > 0 && state !== 'finished') {
    const message = `job ${job}: expected one that nobody takes part in, got ${agents} agents; crawl job stop lets them go`
    throw new CrawlerError('usage', message)
  }
  for (const server of servers.all) {
    for (const pattern of [`ow:{${job}}*`, `ow:{${job}:*`]) {
      for await (const keys of server.keys(pattern)) {
        await Promise.all(keys.map((key) => server.command(key, 'UNLINK', key)))
      }
    }
    await server.command(JOBS_KEY, 'HDEL', JOBS_KEY, job)
  }
}

async function totals(servers: Servers, job: string, partitions: number) {
  const all = await Promise.all(
    Array.from({ length: partitions }, async (_, partition) => {
      const key = partitionKey(job, partition)
      const server = servers.of(key)
      const [added, counts, held] = await Promise.all([
        server.command(key, 'GET', `${key}:added`),
        server.command(key, 'HVALS', `${key}:counts`),
        server.command(key, 'ZCARD', `${key}:leases`),
      ])
      const open = Array.isArray(counts) ? counts.reduce((sum, count) => sum + Number(count), 0) : 0
      return { added: Number(added), open, held: Number(held) }
    }),
  )
  const sum = (field: 'added' | 'open' | 'held') =>
    all.reduce((total, each) => total + each[field], 0)
  return { added: sum('added'), open: sum('open'), held: sum('held') }
}

function noJob(job: string): CrawlerError {
  return new CrawlerError(
    'usage',
    `job ${job}: expected a job on these servers, got none of this name`,
  )
}
