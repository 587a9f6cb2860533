import type { Logger } from '../../logger.ts'

/** Something that was asked for and has not come back. */
export interface Pending {
  readonly url: string
  /** Milliseconds since. */
  readonly ms: number
}

/** A host that is left alone. */
interface LeftHost {
  readonly host: string
  /** Milliseconds until it may be asked. */
  readonly ms: number
  /** It has stopped answering. */
  readonly isAway: boolean
}

/** What a crawl waits for: how many of each kind, and some of them, the oldest or nearest first. */
export interface Waits {
  readonly requests: { readonly count: number; readonly oldest: readonly Pending[] }
  readonly robots: { readonly count: number; readonly oldest: readonly Pending[] }
  /** Hosts that are to be left alone for so many more milliseconds. */
  readonly hosts: {
    readonly count: number
    readonly first: readonly LeftHost[]
  }
  /** The reader of the output has not caught up. */
  readonly isCongested: boolean
}

/** Says what is being waited for, when nothing has moved for a while, and again for each while. */
export class Watchdog {
  readonly #logger: Logger
  readonly #silence: number
  readonly #look: () => Waits
  #movedAt = performance.now()
  #timer: NodeJS.Timeout

  /** @param silence milliseconds */
  constructor(logger: Logger, silence: number, look: () => Waits) {
    this.#logger = logger
    this.#silence = silence
    this.#look = look
    this.#timer = this.#sleep(silence)
  }

  moved(): void {
    this.#movedAt = performance.now()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #sleep(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#wake(), Math.max(1, ms)).unref()
  }

  #wake(): void {
    const silentFor = performance.now() - this.#movedAt
    const isSilent = silentFor >= this.#silence
    if (isSilent) this.#bark(silentFor)
    this.#timer = this.#sleep(isSilent ? this.#silence : Math.ceil(this.#silence - silentFor))
  }

  #bark(silentFor: number): void {
    const waits = this.#look()
    this.#logger.warn(waits, `Nothing has come back for ${seconds(silentFor)}: ${told(waits)}`)
  }
}

function told({ requests, robots, hosts, isCongested }: Waits): string {
  const since = ({ url, ms }: Pending) => `${url} since ${seconds(ms)}`
  const parts = [
    ...part(requests.count, 'request in flight', 'requests in flight', requests.oldest.map(since)),
    ...part(robots.count, 'robots.txt asked for', 'robots.txt asked for', robots.oldest.map(since)),
    ...part(hosts.count, 'host left alone', 'hosts left alone', hosts.first.map(leftHost)),
    ...(isCongested ? ['the reader of the output has not caught up'] : []),
  ]
  return parts.length > 0 ? parts.join('; ') : 'nothing is in flight'
}

function leftHost({ host, ms, isAway }: LeftHost): string {
  const why = isAway ? ', since it has stopped answering' : ''
  return `${host} for another ${seconds(ms)}${why}`
}

function part(count: number, one: string, many: string, some: readonly string[]): string[] {
  return count > 0 ? [`${count} ${count === 1 ? one : many} (${some.join(', ')})`] : []
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`
}
