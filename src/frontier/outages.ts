import type { Endings } from './completion.ts'
import type { Books } from './frontier-tables.ts'
import type { FailureKind, Presence } from './politeness/availability.ts'
import type { FailedHost } from './politeness/host-health.ts'
import type { HostQueue } from './politeness/host-queue.ts'
import type { HostSchedule } from './politeness/host-schedule.ts'

/** What an attempt tells of whether its host is there. */
export interface Sign {
  readonly presence: Presence
  /** What went wrong. */
  readonly why: string
  readonly kind: FailureKind
  /** No further attempt is to be made. */
  readonly isFinal: boolean
  /** The outcome counts wherever the host is: it has found links, or the host wants to be left alone for too long. */
  readonly countsAnyway: boolean
  /** Milliseconds that the host is to be left alone for. */
  readonly retryAfter: number
}

/** What came of a probe. */
export type ProbeSign = Pick<Sign, 'presence' | 'why' | 'retryAfter'> & {
  /** Whether the host can't be there; otherwise it may just not know HEAD. */
  readonly isConclusive: boolean
}

/** A host that went away, or came back. */
export type HostChange =
  | { readonly type: 'away'; readonly key: string; readonly waiting: number; readonly why: string }
  | { readonly type: 'back'; readonly key: string; readonly ms: number }
  | { readonly type: 'given-up'; readonly host: FailedHost }

/** What a sign leads to. */
export interface Verdict {
  /** What is to be done with the outcome: it counts, waits for a verdict, or its URL waits for the host. */
  readonly outcome: 'count' | 'hold' | 'put-back'
  /** Ids of failures held before that are their URLs' own. */
  readonly own: readonly number[]
  readonly changes: readonly HostChange[]
}

/** What a probe leads to. */
export interface ProbeVerdict {
  /** Ids of failures that are their URLs' own. */
  readonly own: readonly number[]
  /** Ids of failures that are the host's. */
  readonly hosts: readonly number[]
  readonly changes: readonly HostChange[]
}

const COUNTS: Verdict = { outcome: 'count', own: [], changes: [] }
/** A URL that failed so often while its host was away may be what takes it down. */
const MAX_PUT_BACKS = 3

/** Hosts that stop answering: they are waited for, and given up when that takes too long. */
export class Outages {
  readonly #books: Books
  readonly #schedule: HostSchedule
  readonly #endings: Endings
  readonly #putBacks = new Map<number, number>()

  constructor(books: Books, schedule: HostSchedule, endings: Endings) {
    this.#books = books
    this.#schedule = schedule
    this.#endings = endings
  }

  /** Tells what an attempt means, for its URL and for its host. */
  judge(id: number, sign: Sign, now: number): Verdict {
    const lease = this.#books.leases.get(id)
    if (lease === undefined || sign.presence === 'unsure') return COUNTS
    const { host, askedAt } = lease
    if (sign.presence === 'there') return this.#there(host, lease.crawlUrl.url, askedAt, now)
    const { availability } = host
    availability.failed(id, sign.why, now)
    if (!availability.hasAnswered || host.failure !== undefined) return COUNTS
    if (sign.countsAnyway) return { ...COUNTS, changes: this.#reviewPatience(host, now) }
    if (!sign.isFinal) return availability.isAway ? { ...COUNTS, outcome: 'put-back' } : COUNTS
    if (!availability.isAway) {
      availability.hold(id, sign.kind, now)
      return { ...COUNTS, outcome: 'hold' }
    }
    return this.#mayPutBack(id) ? { ...COUNTS, outcome: 'put-back' } : COUNTS
  }

  /** A URL that failed waits again: it is its host that has failed. */
  putBack(id: number, now: number): void {
    const lease = this.#books.leases.get(id)
    if (lease === undefined) return
    const { host } = lease
    const isAnswered = lease.isAnswered === true
    this.#books.urls.countFailure(id)
    this.#books.leases.putBack(id)
    if (isAnswered) this.#schedule.place(host, now)
    else this.#endings.answered(host, now)
  }

  /** A URL is settled, whatever became of it. */
  settled(id: number): void {
    this.#putBacks.delete(id)
  }

  /** Takes in what came of a probe. */
  probed(key: string, sign: ProbeSign, now: number): ProbeVerdict {
    const probe = this.#books.probes.take(key)
    if (probe === undefined) return { own: [], hosts: [], changes: [] }
    const { host, url, askedAt } = probe
    host.availability.endProbe()
    const verdict = this.#verdictOf(host, url, askedAt, sign, now)
    host.load.setAside(now + sign.retryAfter)
    this.#endings.answered(host, now)
    this.#schedule.rouse(host, now)
    this.#schedule.place(host, now)
    return verdict
  }

  #verdictOf(
    host: HostQueue,
    url: string,
    askedAt: number,
    { presence, why, isConclusive }: ProbeSign,
    now: number,
  ): ProbeVerdict {
    if (presence !== 'away') return { ...this.#there(host, url, askedAt, now), hosts: [] }
    const { availability } = host
    const wasAway = availability.isAway
    availability.probeFailed(why, isConclusive, now)
    if (!availability.isAway) return { own: [], hosts: [], changes: [] }
    host.load.setAside(now + availability.pause(now))
    this.#books.leases.recall(host)
    const held = Map.groupBy(availability.held.take(), (id) => this.#mayPutBack(id))
    const verdict = { own: held.get(false) ?? [], hosts: held.get(true) ?? [] }
    const givenUp = this.#reviewPatience(host, now)
    if (wasAway || givenUp.length > 0) return { ...verdict, changes: givenUp }
    const waiting = host.urls.size + verdict.hosts.length
    return { ...verdict, changes: [{ type: 'away', key: host.key, waiting, why }] }
  }

  #there(host: HostQueue, url: string, askedAt: number, now: number): Verdict {
    const { availability } = host
    const wasAway = availability.isAway
    const ms = availability.failingFor(now)
    availability.answered(url, askedAt)
    const isBack = wasAway && !availability.isAway
    if (isBack) this.#schedule.rouse(host, now)
    const changes: HostChange[] = isBack ? [{ type: 'back', key: host.key, ms }] : []
    return { outcome: 'count', own: availability.takeOwn(), changes }
  }

  /** Gives a host up that was waited for as long as it is worth. */
  #reviewPatience(host: HostQueue, now: number): HostChange[] {
    const { availability, key } = host
    if (host.failure !== undefined || !availability.isOverdue(now)) return []
    const seconds = Math.round(availability.failingFor(now) / 1_000)
    const reason = `it has not answered well for ${seconds} s (${availability.why})`
    host.giveUp(reason)
    this.#books.leases.recall(host)
    this.#schedule.rouse(host, now)
    const failed = { key, reason, waiting: host.urls.size, hasAnswered: true }
    return [{ type: 'given-up', host: failed }]
  }

  #mayPutBack(id: number): boolean {
    const times = (this.#putBacks.get(id) ?? 0) + 1
    this.#putBacks.set(id, times)
    return times <= MAX_PUT_BACKS
  }
}
