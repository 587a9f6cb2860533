import type { DatabaseSync } from 'node:sqlite'
import { HostQueue } from './host-queue.ts'
import type { UrlStore } from './url-store.ts'

/** All hosts met so far, by their keys. */
export class HostDirectory {
  readonly #hosts = new Map<string, HostQueue>()
  readonly #insert
  readonly #urls: UrlStore
  readonly #manners: { readonly perHost: number; readonly delay: number }

  constructor(
    database: DatabaseSync,
    urls: UrlStore,
    manners: { readonly perHost: number; readonly delay: number },
  ) {
    this.#insert = database.prepare('INSERT INTO hosts (id, key) VALUES (?, ?)')
    this.#urls = urls
    this.#manners = manners
  }

  get size(): number {
    return this.#hosts.size
  }

  /** The queue of a host, made when it is met for the first time. */
  of(key: string): HostQueue {
    const known = this.#hosts.get(key)
    if (known !== undefined) return known
    const id = this.#hosts.size + 1
    this.#insert.run(id, key)
    const host = new HostQueue(id, key, this.#urls, this.#manners)
    this.#hosts.set(key, host)
    return host
  }
}
