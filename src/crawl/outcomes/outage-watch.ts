import type { SeenCheckSettings } from '../../config/defers-seen-check.ts'
import { countOf, formatSeconds } from '../../english-text.ts'
import type { Frontier } from '../../frontier/frontier.ts'
import type { HostChange } from '../../frontier/hosts/availability-signs.ts'
import type { Logger } from '../../logger.ts'
import type { ProbeReply } from '../../messages/from-worker.ts'
import { originOf } from '../../url/origin.ts'
import type { GivenUpHosts } from '../stats/given-up-hosts.ts'
import type { RunningTotals } from '../stats/running-totals.ts'
import type { SkipLog } from '../stats/skip-log.ts'
import type { WorkerOutcome } from '../worker-pool/pool-events.ts'
import type { SharedMemory } from '../worker-pool/shared-memory.ts'
import { attemptSign, hostReport, pauseOnly, probeSign } from './host-signals.ts'
import { putBack } from './put-back.ts'

export interface OutageWatchParts {
  readonly config: SeenCheckSettings & { readonly hostPatience: number }
  readonly frontier: Pick<Frontier, 'completion' | 'outages'>
  readonly givenUp: GivenUpHosts
  readonly logger: Logger
  readonly memory: Pick<SharedMemory, 'counters'>
  readonly scope: { isForeign(origin: string): boolean }
  readonly skips: SkipLog
  readonly tally: RunningTotals
}

/** Decision on an outcome. */
interface OutcomeVerdict {
  /** False for an outcome that is held, or whose URL waits for its host. */
  readonly counts: boolean
  /** Held failures of the same host that count now, too. */
  readonly released: readonly WorkerOutcome[]
}

const COUNTS: OutcomeVerdict = { counts: true, released: [] }

/** Holds back failures that may be due to a host that has stopped answering. */
export class OutageWatch {
  readonly #parts: OutageWatchParts
  readonly #held = new Map<number, WorkerOutcome>()

  constructor(parts: OutageWatchParts) {
    this.#parts = parts
  }

  /** Number of failures that are held. */
  get held(): number {
    return this.#held.size
  }

  /** Decides whether an outcome counts. */
  judge(urlOutcome: WorkerOutcome): OutcomeVerdict {
    const { crawlUrl, outcome } = urlOutcome
    const { completion, outages } = this.#parts.frontier
    const sign = attemptSign(outcome)
    if (sign.presence === 'away' && this.#isForeign(crawlUrl.url)) return COUNTS
    const verdict = outages.judge(crawlUrl.id, sign, performance.now())
    this.#log(verdict.changes)
    const isPlain = verdict.outcome === 'count' && verdict.counted.length === 0
    if (isPlain) return COUNTS
    const released = this.take(verdict.counted)
    if (verdict.outcome === 'count') return { counts: true, released }
    completion.answeredEarly(crawlUrl.id, pauseOnly(hostReport(outcome)), performance.now())
    if (verdict.outcome === 'hold') this.#held.set(crawlUrl.id, urlOutcome)
    else putBack(this.#parts, urlOutcome)
    return { counts: false, released }
  }

  /** Handles the reply to a probe. Returns the held failures that count. */
  probed(host: string, reply: ProbeReply): WorkerOutcome[] {
    const { outages } = this.#parts.frontier
    const verdict = outages.probed(host, probeSign(reply), performance.now())
    for (const urlOutcome of this.take(verdict.putBack)) putBack(this.#parts, urlOutcome)
    this.#log(verdict.changes)
    return this.take(verdict.counted)
  }

  /** Removes and returns held failures: those with these ids, or all. */
  take(ids: readonly number[] = [...this.#held.keys()]): WorkerOutcome[] {
    return ids.flatMap((id) => {
      const urlOutcome = this.#held.get(id)
      this.#held.delete(id)
      return urlOutcome === undefined ? [] : [urlOutcome]
    })
  }

  /** Returns true for a URL outside the scope: the crawl doesn't wait for its host. */
  #isForeign(url: string): boolean {
    return this.#parts.scope.isForeign(originOf(url))
  }

  #log(changes: readonly HostChange[]): void {
    for (const change of changes) this.#logChange(change)
  }

  #logChange(change: HostChange): void {
    const { config, givenUp, logger } = this.#parts
    if (change.type === 'given-up') {
      givenUp.add(change.host)
    } else if (change.type === 'back') {
      const { key: host, ms } = change
      logger.info({ host, ms }, `${host} answers again, after ${formatSeconds(ms)}`)
    } else {
      const { key: host, waiting, why } = change
      const patience = formatSeconds(config.hostPatience)
      logger.warn(
        { host, waiting, why },
        `${host} has stopped answering (${why}): its ${countOf(waiting, 'URL waits', 'URLs wait')}, for up to ${patience}`,
      )
    }
  }
}
