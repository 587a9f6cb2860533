import type { Books } from '../books.ts'
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
    for (const { depth, count } of urls.waitingByDepth()) unfinished.add(depth, count)
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

  /** Puts into the store what is not there yet; to be committed by whoever owns that. */
  save(): void {
    this.#books.times.follow()
    this.#books.hosts.save()
  }
}
