import { describe, onTestFinished } from 'vitest'
import { SharedFrontier } from '../../../src/cluster/agent/shared-frontier.ts'
import type { HandedOutUrl, PushedUrl } from '../../../src/cluster/job-queue.ts'
import type { Action } from '../../../src/frontier/action.ts'
import { temporaryStorage } from '../../../src/state/crawl-storage.ts'
import { hostContract } from '../../frontier/frontier-contract.ts'
import { OPTIONS } from '../../frontier/open-frontier.ts'

const LEASE_MS = 3_600_000

/** The frontier of a job's only process. URLs that it finds come back at once, without Redis. */
class LoneFrontier extends SharedFrontier {
  readonly #known = new Set<string>()
  readonly #leased = new Set<string>()

  /** The number for the whole job. */
  override get unfinished(): number {
    this.#exchange(0)
    return this.leases.all.reduce((sum, { unfinished }) => sum + unfinished, 0)
  }

  override get wakeAt(): number | undefined {
    this.#exchange(0)
    return super.wakeAt
  }

  override take(max: number, now: number): Action[] {
    this.#exchange(now)
    return super.take(max, now)
  }

  #exchange(now: number): void {
    const found = this.takeFound().filter(({ url }) => !this.#known.has(url))
    const fresh = [...new Map(found.map((each) => [each.url, each])).values()]
    for (const [host, urls] of Map.groupBy(fresh, (each) => each.host)) {
      this.#deliver(
        host,
        urls.map((url) => this.#queued(url)),
        now,
      )
    }
  }

  #queued({ url, depth, text }: PushedUrl): HandedOutUrl {
    this.#known.add(url)
    return { id: url, depth, attempts: 0, text }
  }

  #deliver(host: string, urls: HandedOutUrl[], now: number): void {
    const isNew = !this.#leased.has(host)
    this.#leased.add(host)
    const share = { host, epoch: '1', urls, hasMore: false, ...(isNew && { robots: [] }) }
    const until = this.leases.clock.now + LEASE_MS
    this.leases.applyReply(0, { lost: [], hosts: [share], known: 0 }, until, now)
  }
}

describe('the frontier of a job', () =>
  hostContract((options = {}) => {
    const seeds = { has: () => false, countAsSeed() {} }
    const seen = { addIfNew() {} }
    const frontier = new LoneFrontier({ ...OPTIONS, ...options }, temporaryStorage(), seeds, seen)
    onTestFinished(() => frontier.close())
    return frontier
  }))
