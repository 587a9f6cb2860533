import type { CommitBarrier } from '../../state/commit-barrier.ts'
import type { JoinableJob } from '../join-job.ts'
import { Agent } from './agent.ts'
import type { LocalCrawl } from './local-crawl.ts'
import type { SharedFrontier } from './shared-frontier.ts'

/** Joins a job when its crawl has begun, and takes part in it until the end. */
export class JobMember {
  readonly #crawl: LocalCrawl
  readonly #job: JoinableJob
  readonly #frontier: SharedFrontier
  readonly #barrier: CommitBarrier
  /** Undefined until the job is joined. */
  #agent: Agent | undefined
  #isStopped = false
  #hasEnded = false

  constructor(
    crawl: LocalCrawl,
    job: JoinableJob,
    frontier: SharedFrontier,
    barrier: CommitBarrier,
  ) {
    this.#crawl = crawl
    this.#job = job
    this.#frontier = frontier
    this.#barrier = barrier
  }

  /** @param failed called with the error if the job can't continue */
  async start(failed: (error: unknown) => void): Promise<void> {
    const joined = await this.#job.join()
    if (this.#isStopped) return
    this.#agent = new Agent(this.#crawl, joined, this.#frontier, this.#barrier)
    await this.#agent.start(failed)
  }

  /** Stops the exchange with the job. Resolves when no call is running any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#agent?.stop()
  }

  /** Reports all finished pages, and gives all other URLs back. */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#agent?.end()
  }

  /** Gives everything back after a failure. Does nothing after `end`. */
  async close(): Promise<void> {
    if (!this.#hasEnded) await this.#agent?.giveUp()
  }
}
