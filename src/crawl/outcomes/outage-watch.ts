import type { HostChange } from '../../frontier/attempt-sign.ts'
import type { ProbeReply } from '../../messages/messages.ts'
import { originOf } from '../../url/origin.ts'
import type { CrawlState } from '../crawl-state.ts'
import type { UrlOutcome } from '../worker-pool/worker-thread.ts'
import { hostReport, pauseOnly } from './host-signals.ts'
import { outageSign, probeSign } from './sign-of.ts'

/** What is to be settled now. */
interface Judged {
  /** Whether the outcome itself counts: otherwise it is held, or its URL waits for its host. */
  readonly counts: boolean
  /** Failures held before that count as well. */
  readonly own: readonly UrlOutcome[]
}

const COUNTS: Judged = { counts: true, own: [] }

/** Keeps failures back that may be those of a host which has stopped answering. */
export class OutageWatch {
  readonly #state: CrawlState
  readonly #held = new Map<number, UrlOutcome>()

  constructor(state: CrawlState) {
    this.#state = state
  }

  /** How many outcomes are held. */
  get held(): number {
    return this.#held.size
  }

  judge(settled: UrlOutcome): Judged {
    const { crawlUrl, outcome } = settled
    const { outages } = this.#state.frontier
    const sign = outageSign(outcome)
    if (sign.presence === 'away' && this.#isForeign(crawlUrl.url)) return COUNTS
    const verdict = outages.judge(crawlUrl.id, sign, performance.now())
    this.#tell(verdict.changes)
    const own = this.take(verdict.own)
    if (verdict.outcome === 'count') return own.length === 0 ? COUNTS : { counts: true, own }
    const { completion } = this.#state.frontier
    completion.answeredEarly(crawlUrl.id, pauseOnly(hostReport(outcome)), performance.now())
    if (verdict.outcome === 'hold') this.#held.set(crawlUrl.id, settled)
    else this.#putBack(settled)
    return { counts: false, own }
  }

  /** Takes in what came of a probe; gives the failures that count. */
  probed(host: string, reply: ProbeReply): UrlOutcome[] {
    const { outages } = this.#state.frontier
    const verdict = outages.probed(host, probeSign(reply), performance.now())
    for (const settled of this.take(verdict.hosts)) this.#putBack(settled)
    this.#tell(verdict.changes)
    return this.take(verdict.own)
  }

  /** Nobody waits for a host that is asked only because the scope links to it. */
  #isForeign(url: string): boolean {
    return this.#state.scope.isForeign(originOf(url))
  }

  #putBack({ crawlUrl, outcome, worker }: UrlOutcome): void {
    const { frontier, memory, tally } = this.#state
    tally.postponed++
    // The worker has counted it as done.
    if (outcome.type === 'visited') memory.counters.add(worker, 'fetched', -1)
    if (outcome.type === 'failed') memory.counters.add(worker, 'failed', -1)
    frontier.outages.putBack(crawlUrl.id, performance.now())
  }

  /** Takes outcomes that are held: all of them, unless told which. */
  take(ids: readonly number[] = [...this.#held.keys()]): UrlOutcome[] {
    return ids.flatMap((id) => {
      const settled = this.#held.get(id)
      this.#held.delete(id)
      return settled === undefined ? [] : [settled]
    })
  }

  #tell(changes: readonly HostChange[]): void {
    for (const change of changes) tellChange(change, this.#state)
  }
}

function tellChange(change: HostChange, { config, givenUp, logger }: CrawlState): void {
  if (change.type === 'given-up') {
    givenUp.add(change.host, logger)
  } else if (change.type === 'back') {
    const { key: host, ms } = change
    logger.info({ host, ms }, `${host} answers again, after ${seconds(ms)}`)
  } else {
    const { key: host, waiting, why } = change
    const patience = seconds(config.hostPatience)
    logger.warn(
      { host, waiting, why },
      `${host} has stopped answering (${why}): its ${waiting} URLs wait, for up to ${patience}`,
    )
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
