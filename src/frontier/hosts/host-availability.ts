import { originOf } from '../../url/origin.ts'
import type { AvailabilityRecord } from '../storage/stored-host.ts'
import { HeldFailures } from './held-failures.ts'
import { outagePause } from './outage-pause.ts'
import type { PolitenessOptions } from './politeness-options.ts'

/** The sign of an attempt: the host answers, the host may be away, or the attempt shows neither. */
export type Presence = 'there' | 'away' | 'unsure'

/** The kind of a failure: no answer, an overloaded server, or another error. */
export type FailureSignal = 'silence' | 'overload' | 'error'

/** The request that finds out whether a host answers. */
export interface ProbeTarget {
  readonly url: string
  readonly method: 'HEAD' | 'GET'
}

type AvailabilityOptions = Pick<PolitenessOptions, 'hostPatience' | 'ignoreRobots' | 'retries'>

/** Number of different URLs that fail in a row before a host is probed. */
const ALARM = 5
/** Maximum retries of a URL that failed while its host was away. After more failures, the URL may be the cause. */
const MAX_PUT_BACKS = 3

/**
 * Distinguishes failures of a host from failures of single URLs.
 *
 * - A final failure of a URL is held until its host has answered a later request: then the URL is at fault.
 * - The URL is also at fault when the answer was an error of its page, such as 500, and the host gets no other
 *   request.
 * - Otherwise, and when several URLs have failed in a row, the host is probed: a URL is requested that the host
 *   has answered before. If the probe fails as well, the host is away.
 *
 * After a single failure the probe requests robots.txt, since pages are requested only once. After several failures
 * it requests a page, since robots.txt may come from another server than the pages.
 *
 * A host that never answered can't be probed and is never away: the crawl doesn't wait for a mistyped name.
 */
export class HostAvailability {
  /** Milliseconds to wait for a host that is away. */
  readonly #patience: number
  /** True if robots.txt may be requested. */
  readonly #usesRobots: boolean
  /** Maximum failures of a URL before its failure is final. */
  readonly #retries: number
  readonly held = new HeldFailures()
  /** Ids of the URLs that failed in a row, up to the alarm. */
  #failedInRow: readonly number[] = []
  #isAlarmed = false
  /** A URL that the host has answered, for probes. */
  #answeredUrl: string | undefined
  #state: 'there' | 'doubted' | 'away' = 'there'
  #wantsProbe = false
  #isProbing = false
  #isGivenUp = false
  #method: ProbeTarget['method'] = 'HEAD'
  #failingSince: number | undefined
  /** The latest start of a request that was answered. */
  #thereAt = Number.NEGATIVE_INFINITY
  #doubtedAt = Number.NEGATIVE_INFINITY
  #why = ''
  /** By unsettled URL, its failures while the host was away. They are counted here so that they leave with the host. */
  #putBacks: Map<number, number> | undefined

  constructor(
    { hostPatience = 0, ignoreRobots, retries = Number.POSITIVE_INFINITY }: AvailabilityOptions,
    record: AvailabilityRecord,
  ) {
    this.#patience = hostPatience
    this.#usesRobots = !ignoreRobots
    this.#retries = retries
    this.resume(record)
  }

  /** The cause of the last failure. */
  get why(): string {
    return this.#why
  }

  get record(): AvailabilityRecord {
    const awaySince = this.isAway ? this.#failingSince : undefined
    return { answeredUrl: this.#answeredUrl, awaySince }
  }

  /** Returns how many milliseconds to wait for an origin of the host: 0 if the origin never answered. */
  patienceMsFor(origin: string): number {
    const hasAnswered = this.#answeredUrl !== undefined && originOf(this.#answeredUrl) === origin
    return hasAnswered ? this.#patience : 0
  }

  /** True if the host has ever answered. */
  get hasAnswered(): boolean {
    return this.#answeredUrl !== undefined
  }

  get isAway(): boolean {
    return this.#state === 'away'
  }

  /** True if the host must be probed. It gets no other request until then. */
  get isDoubted(): boolean {
    return this.#state === 'doubted'
  }

  /** True if a probe is due. */
  get wantsProbe(): boolean {
    return this.#wantsProbe && !this.#isGivenUp
  }

  /** True if a probe is in flight. */
  get isProbing(): boolean {
    return this.#isProbing
  }

  /** True if held failures count without a probe, provided that the host gets no other request. */
  get mayCountHeld(): boolean {
    return this.#state === 'there' && !this.held.needsProbe
  }

  /** Returns the milliseconds since the host stopped answering. */
  failingFor(now: number): number {
    return this.#failingSince === undefined ? 0 : now - this.#failingSince
  }

  /** Returns whether the crawl has waited for the host long enough. */
  isOverdue(now: number): boolean {
    return this.isAway && this.failingFor(now) >= this.#patience
  }

  /** Returns the milliseconds until a host that is away is requested again, at most until the patience ends. */
  pause(now: number): number {
    return outagePause(this.failingFor(now), this.#patience)
  }

  /** Notes that the host is given up: it gets no probe, and its held failures count at once. */
  giveUp(): void {
    this.#isGivenUp = true
    this.held.release()
  }

  /** Continues with stored values. */
  resume({ answeredUrl, awaySince }: AvailabilityRecord): void {
    this.#calm(awaySince === undefined ? 'there' : 'away')
    this.#isGivenUp = false
    this.#answeredUrl = answeredUrl
    this.#failingSince = awaySince
  }

  /** Notes that the host has answered a request for robots.txt. */
  answeredRobots(url: string): void {
    this.#answeredUrl ??= url
  }

  /** Notes that a request for a page or a probe was answered. */
  answered(url: string, beganAt: number): void {
    this.#answeredUrl = url
    this.#thereAt = Math.max(this.#thereAt, beganAt)
    // A server may have answered earlier requests just before it went down.
    if (this.#state !== 'there' && beganAt < this.#doubtedAt) return
    if (this.#state !== 'there' || this.#failingSince !== undefined) this.#calm('there')
    this.#failingSince = undefined
  }

  /** Notes that an attempt failed. */
  failed(id: number, why: string, now: number): void {
    if (!this.#isAlarmed && !this.#failedInRow.includes(id))
      this.#failedInRow = [...this.#failedInRow, id]
    this.#failingSince ??= now
    this.#why = why
    this.#isAlarmed ||= this.#failedInRow.length >= ALARM
    if (this.#isAlarmed) this.doubt(now)
  }

  /** Makes a probe due, if the host has ever answered. */
  doubt(now: number): void {
    if (!this.hasAnswered || this.#state !== 'there') return
    this.#state = 'doubted'
    this.#doubtedAt = now
    this.#wantsProbe = !this.#isProbing
  }

  /** Begins the probe and returns its request; undefined if none is due. */
  takeProbe(): ProbeTarget | undefined {
    if (!(this.wantsProbe || this.isAway) || this.#answeredUrl === undefined) return undefined
    this.#wantsProbe = false
    this.#isProbing = true
    const isRobots = this.#usesRobots && !this.#isAlarmed
    const url = isRobots ? `${originOf(this.#answeredUrl)}/robots.txt` : this.#answeredUrl
    return { url, method: this.#method }
  }

  /** Notes that the probe has ended. Another one is due if it left the host in doubt. */
  endProbe(): void {
    this.#isProbing = false
    this.#wantsProbe = this.isDoubted
  }

  /**
   * Notes that a probe failed.
   * @param isConclusive true if the host is certainly away; otherwise it may only lack support for HEAD
   */
  probeFailed(why: string, isConclusive: boolean, now: number): void {
    this.#failingSince ??= now
    this.#why = why
    if (this.#state === 'there') return
    this.#wantsProbe = !isConclusive && this.#method === 'HEAD'
    if (this.#wantsProbe) this.#method = 'GET'
    else this.#state = 'away'
  }

  /** Holds a final failure. */
  hold(id: number, kind: FailureSignal, now: number): void {
    // Without robots.txt a probe would request a page twice.
    const needsProbe = kind === 'silence' || (kind === 'overload' && this.#usesRobots)
    this.held.put({ id, at: now, needsProbe })
  }

  /** Removes and returns the held failures for which the URLs themselves are at fault. */
  takeCounted(): number[] {
    return this.held.takeBefore(this.#thereAt)
  }

  /**
   * Counts a failure of a URL while the host was away. Returns whether the URL is requested again.
   * @param before failures of the URL before this one. They show if it was put back before the host left memory.
   */
  mayPutBack(id: number, before: number): boolean {
    this.#putBacks ??= new Map()
    const times = Math.max(this.#putBacks.get(id) ?? 0, before - this.#retries) + 1
    this.#putBacks.set(id, times)
    return times <= MAX_PUT_BACKS
  }

  /** Forgets a URL that is settled. */
  settled(id: number): void {
    this.#putBacks?.delete(id)
    if (this.#putBacks?.size === 0) this.#putBacks = undefined
  }

  /** Ends all doubts about the host. */
  #calm(state: 'there' | 'away'): void {
    this.#state = state
    this.#wantsProbe = false
    this.#failedInRow = []
    this.#isAlarmed = false
    this.#method = 'HEAD'
  }
}
