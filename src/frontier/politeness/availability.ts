import { originOf } from '../../url/origin.ts'
import { HeldFailures } from './held-failures.ts'

/** What an attempt tells of its host: it is there, it may be away, or neither. */
export type Presence = 'there' | 'away' | 'unsure'

/** How a request failed: without an answer, for its server has too much to do or is not there, or in another way. */
export type FailureKind = 'silence' | 'overload' | 'error'

/** What is kept of it. */
export interface AvailabilityRecord {
  /** A URL that the host answered well; undefined when it never did. */
  readonly witness: string | undefined
  /** Since when it has been away, in milliseconds of the monotonic clock; undefined while it is there. */
  readonly awaySince: number | undefined
}

/** How it is found out whether a host is there. */
export interface ProbeRequest {
  readonly url: string
  readonly method: 'HEAD' | 'GET'
}

/** Different URLs that fail in a row before a host is asked whether it is there at all. */
const ALARM = 5
/** A host that is away pauses for as long as it has been away, within these bounds, in milliseconds. */
const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/**
 * Tells failures of a host from those of single URLs. A URL that has failed for good is held until its host has
 * answered something that was asked for later: then the failure is the URL's own. So it is when the answer was an
 * error of its page, such as 500, and nothing else is asked of the host. Otherwise, and when several URLs have
 * failed in a row, a URL is asked for that the host answered before: a probe. When that fails as well, the host is away.
 *
 * A single failure is looked into with robots.txt, since pages are asked for once; a row of them with a page, since
 * robots.txt may come from another server than the pages.
 *
 * A host that never answered has no witness, and is never away: nobody waits for a name that was mistyped.
 */
export class Availability {
  /** Milliseconds that a host which is away is waited for. */
  readonly #patience: number
  /** Whether robots.txt may be asked for. */
  readonly #usesRobots: boolean
  readonly held = new HeldFailures()
  /** Ids of the URLs that failed in a row. */
  readonly #row = new Set<number>()
  #isAlarmed = false
  #witness: string | undefined
  #state: 'there' | 'doubted' | 'away' = 'there'
  #wantsProbe = false
  #isProbing = false
  #method: ProbeRequest['method'] = 'HEAD'
  #failingSince: number | undefined
  /** When the last request began that was answered well. */
  #thereAt = Number.NEGATIVE_INFINITY
  #doubtedAt = Number.NEGATIVE_INFINITY
  /** What went wrong last. */
  why = ''

  constructor(patience: number, usesRobots: boolean, record: AvailabilityRecord) {
    this.#patience = patience
    this.#usesRobots = usesRobots
    this.resume(record)
  }

  get record(): AvailabilityRecord {
    const awaySince = this.isAway ? this.#failingSince : undefined
    return { witness: this.#witness, awaySince }
  }

  /** Returns the milliseconds for which an origin of the host is waited for: none where it never answered. */
  patienceWith(origin: string): number {
    const hasAnswered = this.#witness !== undefined && originOf(this.#witness) === origin
    return hasAnswered ? this.#patience : 0
  }

  /** Whether it ever answered well. */
  get hasAnswered(): boolean {
    return this.#witness !== undefined
  }

  get isAway(): boolean {
    return this.#state === 'away'
  }

  /** Whether it is being found out if the host is there: nothing else is asked of it meanwhile. */
  get isDoubted(): boolean {
    return this.#state === 'doubted'
  }

  /** Whether a probe is due that was not sent. */
  get wantsProbe(): boolean {
    return this.#wantsProbe
  }

  /** Whether one is under way. */
  get isProbing(): boolean {
    return this.#isProbing
  }

  /** Whether those that do count as their URLs' own if nothing else is asked of the host. */
  get mayCountHeld(): boolean {
    return this.#state === 'there' && !this.held.needsProbe
  }

  /** For how many milliseconds nothing was answered well. */
  failingFor(now: number): number {
    return this.#failingSince === undefined ? 0 : now - this.#failingSince
  }

  /** Whether it was waited for as long as it is worth. */
  isOverdue(now: number): boolean {
    return this.isAway && this.failingFor(now) >= this.#patience
  }

  /** Milliseconds until a host that is away is asked again; never beyond the end of the patience. */
  pause(now: number): number {
    const away = this.failingFor(now)
    return Math.max(0, Math.min(Math.max(away, MIN_PAUSE_MS), MAX_PAUSE_MS, this.#patience - away))
  }

  /** Goes on from what is known of the host. */
  resume({ witness, awaySince }: AvailabilityRecord): void {
    this.#calm(awaySince === undefined ? 'there' : 'away')
    this.#witness = witness
    this.#failingSince = awaySince
  }

  /** The host has answered, be it only with its robots.txt. */
  meet(url: string): void {
    this.#witness ??= url
  }

  /** A request that began at that time was answered well. */
  answered(url: string, beganAt: number): void {
    this.#witness = url
    this.#thereAt = Math.max(this.#thereAt, beganAt)
    // What was asked for earlier may have been answered by a server that was about to end.
    if (this.#state !== 'there' && beganAt < this.#doubtedAt) return
    this.#calm('there')
    this.#failingSince = undefined
  }

  /** An attempt came to nothing. */
  failed(id: number, why: string, now: number): void {
    this.#row.add(id)
    this.#failingSince ??= now
    this.why = why
    this.#isAlarmed ||= this.#row.size >= ALARM
    if (this.#isAlarmed) this.doubt(now)
  }

  /** Has it found out whether the host is there, where that can be told. */
  doubt(now: number): void {
    if (!this.hasAnswered || this.#state !== 'there') return
    this.#state = 'doubted'
    this.#doubtedAt = now
    this.#wantsProbe = !this.#isProbing
  }

  /** Returns the request that finds out, or whether a host that is away has come back: it begins. */
  takeProbe(): ProbeRequest | undefined {
    if (!(this.#wantsProbe || this.isAway) || this.#witness === undefined) return undefined
    this.#wantsProbe = false
    this.#isProbing = true
    const asksRobots = this.#usesRobots && !this.#isAlarmed
    const url = asksRobots ? `${originOf(this.#witness)}/robots.txt` : this.#witness
    return { url, method: this.#method }
  }

  /** A probe has come back; where it says nothing of a doubt that came up meanwhile, another one does. */
  endProbe(): void {
    this.#isProbing = false
    this.#wantsProbe = this.isDoubted
  }

  /**
   * A probe came to nothing.
   * @param isConclusive whether the host can't be there; otherwise it may just not know HEAD
   */
  probeFailed(why: string, isConclusive: boolean, now: number): void {
    this.#failingSince ??= now
    this.why = why
    if (this.#state === 'there') return
    this.#wantsProbe = !isConclusive && this.#method === 'HEAD'
    if (this.#wantsProbe) this.#method = 'GET'
    else this.#state = 'away'
  }

  /** Holds a failure for good. */
  hold(id: number, kind: FailureKind, now: number): void {
    // Without robots.txt a probe would ask for a page twice.
    const needsProbe = kind === 'silence' || (kind === 'overload' && this.#usesRobots)
    this.held.put(id, { at: now, needsProbe })
  }

  /** Takes the failures that are their URLs' own. */
  takeOwn(): number[] {
    return this.held.takeBefore(this.#thereAt)
  }

  #calm(state: 'there' | 'away'): void {
    this.#state = state
    this.#wantsProbe = false
    this.#row.clear()
    this.#isAlarmed = false
    this.#method = 'HEAD'
  }
}
