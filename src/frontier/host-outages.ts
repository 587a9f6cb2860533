import { formatSeconds } from '../english-text.ts'
import type { Completion } from './completion.ts'
import type { OutageHandling } from './frontier.ts'
import type {
  AttemptSign,
  AttemptVerdict,
  HostChange,
  ProbeSign,
  ProbeVerdict,
} from './hosts/availability-signs.ts'
import type { HostProbes, Probe } from './hosts/host-probes.ts'
import type { HostQueue } from './hosts/host-queue.ts'
import type { HostSchedule } from './hosts/host-schedule.ts'
import type { FrontierTables } from './storage/frontier-tables.ts'
import type { UrlInFlight, UrlsInFlight } from './urls-in-flight.ts'

const COUNTS: AttemptVerdict = { outcome: 'count', counted: [], changes: [] }
const WAITS: AttemptVerdict = { ...COUNTS, outcome: 'put-back' }

/** The parts of the frontier that an outage changes. */
interface OutageParts {
  readonly tables: Pick<FrontierTables, 'urls'>
  readonly inFlight: UrlsInFlight
  readonly probes: HostProbes
  readonly schedule: HostSchedule
}

/** Waits for hosts that stop answering for a time, then gives them up. */
export class HostOutages implements OutageHandling {
  readonly #parts: OutageParts
  readonly #completion: Completion

  constructor(parts: OutageParts, completion: Completion) {
    this.#parts = parts
    this.#completion = completion
  }

  judge(id: number, sign: AttemptSign, now: number): AttemptVerdict {
    const url = this.#parts.inFlight.get(id)
    if (url === undefined || sign.presence === 'unsure') return COUNTS
    const { crawlUrl, host, handedOutAt } = url
    adaptLoad(url, sign, now)
    if (sign.presence === 'there') return this.#applyAnswer(host, crawlUrl.url, handedOutAt, now)
    const { availability } = host
    availability.failed(id, sign.why, now)
    if (!availability.hasAnswered || host.failure !== undefined) return COUNTS
    if (sign.countsAnyway) return { ...COUNTS, changes: this.#reviewPatience(host, now) }
    if (!sign.isFinal) return availability.isAway ? WAITS : COUNTS
    if (!availability.isAway) {
      availability.hold(id, sign.kind, now)
      return { ...COUNTS, outcome: 'hold' }
    }
    return availability.mayPutBack(id, crawlUrl.failures) ? WAITS : COUNTS
  }

  putBack(id: number, now: number): void {
    const { inFlight, tables } = this.#parts
    const url = inFlight.get(id)
    if (url === undefined) return
    tables.urls.countFailure(id)
    inFlight.putBack(url)
    if (url.isAnswered === true) this.#parts.schedule.place(url.host, now)
    else this.#completion.free(url.host, now)
  }

  probed(key: string, sign: ProbeSign, now: number): ProbeVerdict {
    const probe = this.#parts.probes.end(key)
    if (probe === undefined) return { counted: [], putBack: [], changes: [] }
    const { host } = probe
    host.availability.endProbe()
    const verdict = this.#verdictOf(probe, sign, now)
    host.pause(sign.retryAfter, 'retry-after', now)
    this.#completion.free(host, now)
    this.#parts.schedule.review(host, now)
    return verdict
  }

  #verdictOf(
    { host, url, sentAt }: Probe,
    { presence, why, isConclusive }: ProbeSign,
    now: number,
  ): ProbeVerdict {
    if (presence !== 'away') return { ...this.#applyAnswer(host, url, sentAt, now), putBack: [] }
    const { availability } = host
    const wasAway = availability.isAway
    availability.probeFailed(why, isConclusive, now)
    if (!availability.isAway) return { counted: [], putBack: [], changes: [] }
    host.pause(availability.pause(now), 'away', now)
    this.#parts.inFlight.retryNow(host)
    const { counted = [], putBack = [] } = Object.groupBy(availability.held.take(), (id) => {
      const failures = this.#parts.inFlight.get(id)?.crawlUrl.failures ?? 0
      return availability.mayPutBack(id, failures) ? 'putBack' : 'counted'
    })
    const givenUp = this.#reviewPatience(host, now)
    if (wasAway || givenUp.length > 0) return { counted, putBack, changes: givenUp }
    const waiting = host.urls.size + putBack.length
    return { counted, putBack, changes: [{ type: 'away', key: host.key, waiting, why }] }
  }

  /** Notes that a host has answered. Returns the consequences for its held failures and the host. */
  #applyAnswer(host: HostQueue, url: string, sentAt: number, now: number): AttemptVerdict {
    const { availability } = host
    const wasAway = availability.isAway
    const ms = availability.failingFor(now)
    availability.answered(url, sentAt)
    if (!wasAway && availability.held.size === 0) return COUNTS
    const isBack = wasAway && !availability.isAway
    if (isBack) this.#parts.schedule.rouse(host, now)
    const changes: HostChange[] = isBack ? [{ type: 'back', key: host.key, ms }] : []
    return { outcome: 'count', counted: availability.takeCounted(), changes }
  }

  /** Gives a host up if the crawl has waited for it long enough. */
  #reviewPatience(host: HostQueue, now: number): HostChange[] {
    const { availability, key } = host
    if (host.failure !== undefined || !availability.isOverdue(now)) return []
    const time = formatSeconds(availability.failingFor(now))
    const reason = `it gave no usable response for ${time} (${availability.why})`
    host.giveUp(reason)
    this.#parts.inFlight.retryNow(host)
    this.#parts.schedule.rouse(host, now)
    const failed = { key, reason, waiting: host.urls.size, hasAnswered: true }
    return [{ type: 'given-up', host: failed }]
  }
}

/** Adapts the load of a host to an attempt. */
function adaptLoad({ crawlUrl, host, handedOutAt }: UrlInFlight, sign: AttemptSign, now: number) {
  const isRetry = crawlUrl.attempt > 1
  if (sign.presence === 'there') host.load.accepted(isRetry)
  // Errors such as 500 don't depend on the number of requests.
  else if (sign.kind === 'error') return
  else if (isRetry) host.load.refusedAgain()
  else host.load.refused(handedOutAt, now)
}
