import { DamageError } from '../../errors.ts'
import type { RobotsAnswer } from '../../messages/messages.ts'
import type { Books } from '../frontier-tables.ts'
import type { Reread, WaitingUrl } from './rereads.ts'
import type { UrlStore } from './url-store.ts'

/** What of the frontier outlives a process: all of it that the store holds. */
export class Archive {
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  /** Id of the URL that was discovered last; ids are given in that order. */
  get lastUrl(): number {
    return this.#books.urls.lastId
  }

  /** The next URLs that were discovered later than that one, and the id of the last of them. */
  urlsSince(
    id: number,
    limit: number,
  ): { readonly urls: readonly string[]; readonly last: number } {
    return this.#books.urls.since(id, limit)
  }

  /** URLs that are not finished. */
  leftOvers(): ReturnType<UrlStore['leftOvers']> {
    return this.#books.urls.leftOvers()
  }

  /**
   * Goes on where an earlier run stood at its last commit.
   * @returns how many URLs were in flight; they wait again
   */
  resume(): number {
    const { urls, unfinished, outlinks, parked, times } = this.#books
    const recalled = urls.recall()
    outlinks.recount()
    this.#checkKey()
    const waiting = urls.waitingByDepth()
    for (const { depth, count } of waiting) unfinished.add(depth, count)
    if (waiting.some(({ lost }) => lost > 0)) parked.recover()
    times.bound(performance.now())
    parked.resume()
    return recalled
  }

  /**
   * Lets URLs wait again that were visited at that time or before, in milliseconds since 1970, and those
   * that were not asked for, since what kept them out may have changed. To be called before `resume`.
   */
  revisit(time: number): void {
    this.#books.urls.revisit(time)
    this.#books.parked.revisit()
  }

  /** Lets URLs wait again that failed for reasons that may have passed. To be called before `resume`. */
  retryFailed(): void {
    this.#books.failed.retry()
  }

  /** Pages that are read again for their links, and that are not read yet. */
  get rereads(): number {
    return this.#books.rereads.size
  }

  /** Lets pages wait again to be read again for their links. To be called before `resume`. */
  reread(which: Reread): void {
    this.#books.rereads.add(which)
    this.#books.parked.wakeAll()
  }

  /** Lets URLs below a depth wait again that were kept out. To be called before `resume`. */
  judgeAnew(below: number): void {
    this.#books.rereads.addKeptOut(below)
    this.#books.parked.wakeAll()
  }

  /** Takes out what waits and is not wanted any more; gives what has no record. To be called before `resume`. */
  dropUnwanted(isWanted: (url: WaitingUrl) => boolean): Iterable<WaitingUrl> {
    return this.#books.rereads.drop(isWanted)
  }

  /** What robots.txt of an origin said when it was asked last; undefined where that is not known. */
  robotsOf(origin: string): RobotsAnswer | undefined {
    return this.#books.hosts.robotsOf(origin)
  }

  /** With another secret than that which made the keys, all URLs would seem to be new. */
  #checkKey(): void {
    const { keys, urls } = this.#books
    const [first] = urls.since(0, 1).urls
    if (first === undefined || urls.find(keys.of(first), first) !== undefined) return
    throw new DamageError('urls.key does not go with hash-key')
  }

  /** Puts into the store what is not there yet; to be committed by whoever owns that. */
  save(): void {
    this.#books.times.follow()
    this.#books.hosts.save()
  }
}
