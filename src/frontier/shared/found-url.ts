import type { Hop } from '../../wire/crawl-url.ts'

/** What goes with a URL through a queue that many processes share, beside its depth. */
export interface FoundUrl {
  readonly url: string
  readonly sidesteps: number
  readonly redirects: number
  readonly hop: Hop
  /** The page that named it. */
  readonly via?: string | undefined
  /** Whether it is a seed, or where one redirects. */
  readonly isSeed: boolean
}

type Row = readonly [string, number, number, Hop, 0 | 1, string?]

/** As JSON. */
export function encodeFound({ url, sidesteps, redirects, hop, via, isSeed }: FoundUrl): string {
  const row = [url, sidesteps, redirects, hop, isSeed ? 1 : 0]
  return JSON.stringify(via === undefined ? row : [...row, via])
}

export function decodeFound(text: string): FoundUrl {
  const [url, sidesteps, redirects, hop, isSeed, via]: Row = JSON.parse(text)
  return { url, sidesteps, redirects, hop, via, isSeed: isSeed === 1 }
}
