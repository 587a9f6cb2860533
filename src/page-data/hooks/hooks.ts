import type { Data } from '../../records/visit.ts'

/** An HTML page that was answered with a status of 2xx, as hooks see it. */
export interface Page {
  /** Canonical. */
  readonly url: string
  readonly status: number
  /** Links followed from a seed. */
  readonly depth: number
  /** The page it was found on; absent for seeds. */
  readonly via?: string
  /** By name in lower case; a list where a header came several times. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** WHATWG name of its encoding, lower case. */
  readonly charset: string
  readonly title?: string
  /** Content codings undone. The memory is used again when the hook is done: copy what is to be kept. */
  readonly body: Uint8Array
  /** The body as text. */
  readonly html: string
  /** What URLs of the page are relative to. */
  readonly base: string
  /** What `extract`, `text` and `markdown` took from it. */
  readonly data: Data
}

/** A link of a page, inside the scope. */
export interface PageLink {
  /** Canonical. */
  readonly url: string
  /** Where it would stand. */
  readonly depth: number
}

/** What a module of hooks exports: one of these, or both. It is imported in each fetch worker. */
export interface Hooks {
  /** May give data, which goes under `data` in the record of the page. */
  onPage?(page: Page): PageResult | Promise<PageResult>
  /** Whether a link may be followed. Redirects, assets and sitemaps are not asked for. */
  shouldFollow?(link: PageLink, page: Page): boolean
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is a hook as well
type PageResult = Data | undefined | void
