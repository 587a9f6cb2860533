import { parseStored } from '../../database/validate-stored-values.ts'
import { CrawlerError, DamageError } from '../../errors.ts'
import { nameSuggestion } from '../../near-name.ts'
import type { JobState } from '../job-queue.ts'
import type { JobAction, JobReport } from '../job-store.ts'
import { countOpen, sum } from '../partition-counts.ts'
import { refuseOtherServers } from './job-servers.ts'
import { JOBS_KEY, jobKey } from './keys.ts'
import { checkJobFormat, partitionMarks } from './partition-marks.ts'
import { readPartitionViews } from './partition-views.ts'
import { changeJobState } from './redis-job-queue.ts'
import { fieldsOf, shownJobSchema } from './reply-schemas.ts'
import type { RetryingClient } from './retrying-client.ts'
import type { Servers } from './servers.ts'

/** Returns the names of the jobs on these servers, in order. */
export async function listJobs(servers: Servers): Promise<string[]> {
  const names = new Set<string>()
  for (const server of servers.all) {
    const reply = await server.command(JOBS_KEY, 'HKEYS', JOBS_KEY)
    if (Array.isArray(reply)) for (const name of reply) names.add(String(name))
  }
  return [...names].toSorted()
}

/**
 * Reports the progress of a job.
 * @throws CrawlerError('usage') if there is no such job, 'redis' if it was created on other servers
 */
export async function showJob(servers: Servers, job: string): Promise<JobReport> {
  await refuseOtherServers(servers, job)
  const home = servers.of(jobKey(job))
  const fields = fieldsOf(await home.command(jobKey(job), 'HGETALL', jobKey(job)))
  if (Object.keys(fields).length === 0) throw await missingJob(servers, job)
  checkJobFormat(job, fields)
  const { state, created, partitions } = parseStored(shownJobSchema, fields, 'the job')
  const marks = partitionMarks(job, fields, Number(partitions))
  const views = await readPartitionViews(servers, marks, 0)
  return {
    job,
    state,
    created,
    agents: await agentsOf(home, job),
    visits: sum(views.map(({ visits }) => visits)),
    bytes: sum(views.map(({ bytes }) => bytes)),
    added: sum(views.map(({ added }) => added)),
    open: countOpen(views),
    held: sum(views.map(({ active, free }) => active - free)),
  }
}

const STATE_CHANGES = {
  pause: { state: 'paused', from: ['running', 'paused'] },
  resume: { state: 'running', from: ['running', 'paused', 'stopped'] },
  stop: { state: 'stopped', from: ['running', 'paused', 'stopped'] },
} as const satisfies Record<JobAction, { state: JobState; from: readonly JobState[] }>

/**
 * Pauses, resumes or stops a job.
 * @throws CrawlerError('usage') if there is no such job, or its state doesn't allow the action, 'redis' if it was
 * created on other servers
 */
export async function controlJob(servers: Servers, job: string, action: JobAction): Promise<void> {
  await refuseOtherServers(servers, job)
  const { state, from } = STATE_CHANGES[action]
  const now = await changeJobState(servers, job, state, from)
  if (now === undefined) throw await noJob(servers, job)
  if (now === state) return
  throw new CrawlerError('usage', `job ${job}: can't ${action} a ${now} job`)
}

/**
 * Removes all data of a job, even of a damaged one.
 * @throws CrawlerError('usage') while agents take part in it, 'redis' if it was created on other servers
 */
export async function deleteJob(servers: Servers, job: string): Promise<void> {
  await refuseOtherServers(servers, job)
  const home = servers.of(jobKey(job))
  if (!(await isThere(servers, job))) throw await noJob(servers, job)
  const state = await unlessOfAnotherType(home.command(jobKey(job), 'HGET', jobKey(job), 'state'))
  const agents = (await unlessOfAnotherType(agentsOf(home, job))) ?? 0
  if (agents > 0 && state !== 'finished') {
    const [processes, them] = agents === 1 ? ['process', 'it'] : ['processes', 'them']
    const message = `job ${job}: expected a job without processes, got ${agents} ${processes}; crawl job stop ${job} ends ${them}; a killed process counts until its lease ends`
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

/** Returns true if the key of a job exists, or the job was created and has lost that key. */
async function isThere(servers: Servers, job: string): Promise<boolean> {
  const home = servers.of(jobKey(job))
  if ((await home.command(jobKey(job), 'EXISTS', jobKey(job))) === 1) return true
  return (await listJobs(servers)).includes(job)
}

async function missingJob(servers: Servers, job: string): Promise<Error> {
  if (!(await isThere(servers, job))) return noJob(servers, job)
  return new DamageError(`${jobKey(job)} is gone`)
}

/** Resolves to undefined if the key contains data of another type. */
async function unlessOfAnotherType<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof CrawlerError && error.message.includes('WRONGTYPE')) return undefined
    throw error
  })
}

/** Counts the agents of a job. */
async function agentsOf(home: RetryingClient, job: string): Promise<number> {
  const agents = jobKey(job, 'agents')
  return Number(await home.command(agents, 'ZCOUNT', agents, await timeOf(home, agents), '+inf'))
}

/** Returns the time of a server's clock, in milliseconds since 1970. */
async function timeOf(server: RetryingClient, key: string): Promise<string> {
  const time = await server.command(key, 'TIME')
  return Array.isArray(time) ? String(Math.floor(time[0] * 1_000 + time[1] / 1_000)) : '-inf'
}

/** Returns the error for a name that no job has, with a suggestion. */
async function noJob(servers: Servers, job: string): Promise<CrawlerError> {
  const names = await listJobs(servers)
  const others = names.length === 0 ? ', and no other jobs' : '; crawl job list shows the others'
  const hint = nameSuggestion(job, names) || others
  const message = `job ${job}: no job of this name on these servers${hint}`
  return new CrawlerError('usage', message)
}
