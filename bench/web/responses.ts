import { draw } from './draw.ts'
import {
  type Breakage,
  type GeneratedWeb,
  nameOf,
  type Place,
  pageAt,
  pathOf,
} from './generated-web.ts'
import { CODINGS, type Coding, Texts, wordAt } from './texts.ts'

/** Number of words that are unique to a page, so that it doesn't count as a copy of others. */
const OWN_WORDS = 16
const LARGE_ROBOTS_BYTES = 600_000
const HTML = 'text/html; charset=utf-8'

export interface Request {
  readonly host: number
  readonly path: string
  readonly etag: string | undefined
}

export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: readonly Buffer[]
}

const NOTHING: readonly Buffer[] = []
const robotsFile = (text: string): Response => ({
  ...{ status: 200, headers: { 'content-type': 'text/plain' }, body: [Buffer.from(text)] },
})
const failure = (status: number): Response => ({
  ...{ status, headers: { 'content-type': HTML }, body: [Buffer.from(`<h1>${status}</h1>`)] },
})
const MISSING = failure(404)
const ROBOTS = robotsFile('User-agent: *\nDisallow: /private\nDisallow: /*?print=\n')
/** A robots.txt whose last rule is after the first 500 KiB, so that it must be ignored. */
const LARGE_ROBOTS = robotsFile(
  `User-agent: *\n${'Disallow: /private\n'.repeat(LARGE_ROBOTS_BYTES / 19)}Disallow: /\n`,
)
const ROBOTS_OF: Partial<Record<Breakage, Response>> = {
  'robots.txt missing': MISSING,
  'robots.txt forbidden': failure(403),
  'robots.txt fails': failure(500),
  'robots.txt large': LARGE_ROBOTS,
  'robots.txt disallows': robotsFile('User-agent: *\nDisallow: /\n'),
}

/** Computes the responses of the hosts of a web. */
export class Responses {
  readonly #web: GeneratedWeb
  readonly #texts: Texts
  readonly #coding: Coding | 'mixed'
  /** The number of the crawl, from 0. Some pages change between two crawls. */
  crawl = 0

  constructor(web: GeneratedWeb, coding: Coding | 'mixed', size?: number) {
    this.#web = web
    this.#coding = coding
    this.#texts = new Texts(
      web.options.seed,
      new Set(coding === 'mixed' ? CODINGS : [coding]),
      size,
    )
  }

  of({ host, path, etag }: Request): Response {
    const breakage = this.#web.breakageOf(host)
    if (path === '/robots.txt')
      return (breakage && ROBOTS_OF[breakage]) ?? (host % 2 === 0 ? ROBOTS : MISSING)
    if (breakage === 'unavailable') return failure(503)
    if (breakage === 'redirects') return this.#redirect(host)
    const page = pageAt(path)
    const isThere = breakage !== 'gone' && page >= 0 && page < this.#web.pagesOf(host)
    return isThere ? this.#page({ host, page }, etag) : MISSING
  }

  #redirect(host: number): Response {
    const location = this.#web.urlOf(this.#web.targetOf(host))
    return { status: 301, headers: { location }, body: NOTHING }
  }

  #page(place: Place, known: string | undefined): Response {
    const version = this.#web.versionOf(place, this.crawl)
    const etag = `"${place.host}-${place.page}-${version}"`
    if (etag === known) return { status: 304, headers: { etag }, body: NOTHING }
    const coding = this.#coding === 'mixed' ? (CODINGS[place.host % 4] ?? 'gzip') : this.#coding
    const html = this.#ownHtml(place, version)
    const body = this.#texts.bodyOf(this.#web.choiceOf(place), html, coding)
    const headers = { 'content-type': HTML, etag }
    if (coding === 'identity') return { status: 200, headers, body }
    return { status: 200, headers: { ...headers, 'content-encoding': coding }, body }
  }

  #ownHtml(place: Place, version: number): string {
    let html = `</p><h1>Page ${place.page} of ${nameOf(place.host)}</h1>\n<p>`
    for (let word = 0; word < OWN_WORDS; word++)
      html += `${wordAt(draw(place.host, place.page, version, word))} `
    html += '</p><ul>'
    for (const to of this.#web.linksOf(place)) {
      const path = pathOf(to.page)
      const href = to.host === place.host ? path : this.#web.originOf(to.host) + path
      html += `<li class="item"><a class="reference" href="${href}">${path}</a></li>\n`
    }
    return `${html}</ul></body></html>`
  }
}
