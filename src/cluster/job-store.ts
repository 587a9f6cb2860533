import type { CrawlerError } from '../errors.ts'
import type { JobQueue, JobState } from './job-queue.ts'
import type { SharedSeenOptions } from './shared-seen-options.ts'

/** Progress of a job. */
export interface JobReport {
  readonly job: string
  readonly state: JobState
  readonly created: string
  /** Number of agents that take part. */
  readonly agents: number
  /** Finished URLs with a record, whose process may have died since, and the bytes of their bodies. */
  readonly visits: number
  readonly bytes: number
  /** URLs that were ever pushed, known or not. */
  readonly added: number
  /** URLs that are not finished. */
  readonly open: number
  /** Hosts that are leased. */
  readonly held: number
}

/** The jobs on some servers. */
export interface JobList {
  readonly reports: readonly JobReport[]
  /** Why the other jobs can't be reported: they are damaged, or have other servers. */
  readonly problems: readonly CrawlerError[]
}

/** Actions of a user on a job. */
export const JOB_ACTIONS = ['pause', 'resume', 'stop'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** The servers that keep the queues of jobs. Each call rejects with a CrawlerError that says what is wrong. */
export interface JobStore {
  /**
   * Joins a job, and creates it if there is none of this name. Checks first that the servers are fit for it.
   * @param settings that all agents of a job must agree on
   */
  join(
    name: string,
    settings: Readonly<Record<string, unknown>>,
    seen: SharedSeenOptions,
  ): Promise<JobQueue>

  /** Reports all jobs, in order of their names. */
  list(): Promise<JobList>

  /** Reports a job. */
  show(job: string): Promise<JobReport>

  /** Pauses, resumes or stops a job. */
  control(job: string, action: JobAction): Promise<void>

  /** Removes all data of a job, which must have no agents. */
  delete(job: string): Promise<void>

  /** Closes the connections, also those of a joined queue. */
  close(): void
}
