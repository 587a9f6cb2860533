import { MAX_URL_LENGTH } from '../../../url/resolve.ts'
import type { SitemapEntry } from './sitemap-entry.ts'

const URL_AT_START = /^https?:\/\/\S+/i

/** Reads a sitemap with one URL per line. Lines without an http(s) URL are skipped. */
export class LineReader {
  readonly isSitemap = true
  readonly isDone = false
  readonly #onEntry: (entry: SitemapEntry) => void
  #rest = ''

  constructor(onEntry: (entry: SitemapEntry) => void) {
    this.#onEntry = onEntry
  }

  write(text: string): void {
    const lines = (this.#rest + text).split(/[\r\n]/)
    // A line that is already too long will be skipped, so the rest of it isn't kept.
    this.#rest = (lines.pop() ?? '').trimStart().slice(0, MAX_URL_LENGTH + 1)
    for (const line of lines) this.#read(line)
  }

  end(): void {
    this.#read(this.#rest)
  }

  #read(line: string): void {
    const href = URL_AT_START.exec(line.trimStart())?.[0]
    if (href === undefined || href.length > MAX_URL_LENGTH) return
    this.#onEntry({ href })
  }
}
