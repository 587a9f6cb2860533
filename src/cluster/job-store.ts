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
  /** Number of finished URLs with a record, including those of processes that have died since. */
  readonly visits: number
  /** Bytes of the bodies of these URLs. */
  readonly bytes: number
  /** Number of URLs that were ever pushed, including those already seen. */
  readonly added: number
  /** Number of unfinished URLs. */
  readonly open: number
  /** Number of leased hosts. */
  readonly held: number
}

/** The jobs on some servers. */
export interface JobList {
  readonly reports: readonly JobReport[]
  /** An error for each job that can't be reported, because it is damaged or was created on other servers. */
  readonly problems: readonly CrawlerError[]
}

/** Actions of a user on a job. */
export const JOB_ACTIONS = ['pause', 'resume', 'stop'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** The servers that store the queues of jobs. A call that fails rejects with a CrawlerError. */
export interface JobStore {
  /** Returns the queue of a job; undefined if there is no such job. First checks that the servers are suitable. */
  find(name: string, seen: SharedSeenOptions): Promise<JobQueue | undefined>

  /**
   * Returns the queue of a job, which is created if it doesn't exist.
   * @param settings settings that all agents of a job must agree on
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

  /** Returns an error with a message for the user if damaged data of the job caused `error`, and `error` otherwise. */
  describeError(job: string, error: unknown): unknown

  /** Closes the connections, including those of a joined queue. */
  close(): void
}
