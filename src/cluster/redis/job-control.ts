import { stored, storedJson } from '../../database/stored-value.ts'
import { CrawlerError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { countOpen, readPartitionViews, sum } from './partition-views.ts'
import { changeJobState, fieldsOf, JOBS_KEY, jobKey } from './redis-job-queue.ts'
import type { Servers } from './servers.ts'
import { doingForm, type JobState, shownJobForm } from './stored-replies.ts'

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
export async function listJobs(servers: Servers): Promise<string[]> {
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
  if (Object.keys(fields).length === 0) throw noJob(job)
  const { state, created, partitions } = stored(shownJobForm, fields, 'the job')
  const doing = fieldsOf(await home.command(jobKey(job), 'HGETALL', jobKey(job, 'doing')))
  const done = Object.values(doing).map((json) => storedJson(doingForm, json, 'doing'))
  const views = await readPartitionViews(servers, job, Number(partitions), 0)
  return {
    job,
    state,
    created,
    agents: await agentsOf(home, job),
    visits: sum(done.map(({ visits }) => visits)),
    bytes: sum(done.map(({ bytes }) => bytes)),
    added: sum(views.map(({ added }) => added)),
    open: countOpen(views),
    held: sum(views.map(({ active, free }) => active - free)),
  }
}

/** What can be done to a job. */
export const JOB_ACTIONS = ['pause', 'resume', 'stop'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

const STATE_CHANGES = {
  pause: { state: 'paused', from: ['running', 'paused'] },
  resume: { state: 'running', from: ['running', 'paused', 'stopped'] },
  stop: { state: 'stopped', from: ['running', 'paused', 'stopped'] },
} as const satisfies Record<JobAction, { state: JobState; from: readonly JobState[] }>

/** @throws CrawlerError('usage') when there is no such job, or its state doesn't allow it */
export async function controlJob(
  servers: Servers,
  job: string,
  turn: JobAction,
): Promise<JobState> {
  const { state, from } = STATE_CHANGES[turn]
  const now = await changeJobState(servers, job, state, from)
  if (now === undefined) throw noJob(job)
  if (now === state) return now
  throw new CrawlerError('usage', `job ${job}: expected one that can ${turn}, got a ${now} one`)
}

/**
 * Removes all of a job.
 * @throws CrawlerError('usage') while agents take part in it
 */
export async function deleteJob(servers: Servers, job: string): Promise<void> {
  const home = servers.of(jobKey(job))
  const isThere = await home.command(jobKey(job), 'EXISTS', jobKey(job))
  if (isThere !== 1) throw noJob(job)
  // A job that is damaged can be removed, too.
  const state = await unlessOfAnotherType(home.command(jobKey(job), 'HGET', jobKey(job), 'state'))
  const agents = (await unlessOfAnotherType(agentsOf(home, job))) ?? 0
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

/** Undefined where the key holds something that the command is not for. */
async function unlessOfAnotherType<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof CrawlerError && error.message.includes('WRONGTYPE')) return undefined
    throw error
  })
}

/** Agents that are there. */
async function agentsOf(home: Connection, job: string): Promise<number> {
  const agents = jobKey(job, 'agents')
  return Number(await home.command(agents, 'ZCOUNT', agents, await timeOf(home, agents), '+inf'))
}

/** Milliseconds since 1970 on a server's clock. */
async function timeOf(server: Connection, key: string): Promise<string> {
  const time = await server.command(key, 'TIME')
  return Array.isArray(time) ? String(Math.floor(time[0] * 1_000 + time[1] / 1_000)) : '-inf'
}

function noJob(job: string): CrawlerError {
  return new CrawlerError(
    'usage',
    `job ${job}: expected a job on these servers, got none of this name`,
  )
}
