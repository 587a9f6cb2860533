import { draw, powerLaw } from './draw.ts'

/** One of this number of hosts is broken. */
const BROKEN_SHARE = 50
/** One of this number of hosts is slow. */
const SLOW_SHARE = 20
const SLOW_MS = [1_000, 2_000] as const
const FAST_MS = [5, 1_000] as const

/** Exponents of power laws, from studies of the web. */
const PAGES_EXPONENT = 1.4
const LINKS_EXPONENT = 1.6
const MOST_PAGES = 40
const MOST_LINKS = 600
/** Share of a page's links that lead to other hosts, and share of those that lead to no page. */
const REMOTE_SHARE = 0.25
const DEAD_SHARE = 0.003
/** Share of the pages that change between two crawls. */
const CHANGE_SHARE = 0.1

/** The ways in which hosts are broken. */
export const BREAKAGES = [
  ...['unknown name', 'name server fails', 'name server is silent'],
  ...['refuses', 'resets', 'times out', 'unavailable', 'gone', 'redirects'],
  ...['robots.txt missing', 'robots.txt forbidden', 'robots.txt fails', 'robots.txt large'],
  'robots.txt disallows',
] as const
export type Breakage = (typeof BREAKAGES)[number]

export interface WebOptions {
  readonly seed: number
  readonly hosts: number
  /** Mean number of pages of a host. */
  readonly pages: number
  /** Mean number of links of a page. */
  readonly links: number
  /** Milliseconds before each response; by default hosts differ. */
  readonly latency?: number | undefined
  /** True if one host of fifty is broken. */
  readonly broken: boolean
  readonly scheme: 'http' | 'https'
}

/** A page of a host. With a negative number, the page is missing. */
export interface Place {
  readonly host: number
  readonly page: number
}

/** A web whose hosts and pages are all computed from their numbers. */
export class GeneratedWeb {
  readonly options: WebOptions

  constructor(options: WebOptions) {
    this.options = options
  }

  /** Returns the way in which a host is broken, if it is. The first hosts always work, since crawls begin there. */
  breakageOf(host: number): Breakage | undefined {
    const place = this.#draw(1, host) * BROKEN_SHARE
    if (!this.options.broken || host < 10 || place >= 1) return undefined
    return BREAKAGES[Math.floor(place * BREAKAGES.length)]
  }

  /** Returns the milliseconds after which a host responds. */
  latencyOf(host: number): number {
    if (this.options.latency !== undefined) return this.options.latency
    const [least, most] = this.#draw(2, host) * SLOW_SHARE < 1 ? SLOW_MS : FAST_MS
    return Math.round(least * (most / least) ** this.#draw(3, host))
  }

  pagesOf(host: number): number {
    const { pages } = this.options
    if (pages <= 1) return 1
    return powerLaw(this.#draw(4, host), pages, PAGES_EXPONENT, pages * MOST_PAGES)
  }

  /** Returns the targets of a page's links: its two children in the tree of its host, and random pages. */
  linksOf({ host, page }: Place): Place[] {
    const pages = this.pagesOf(host)
    const places: Place[] = []
    for (let child = 2 * page + 1; child <= 2 * page + 2 && child < pages; child++)
      places.push({ host, page: child })
    const place = this.#draw(5, host, page)
    const links = powerLaw(place, this.options.links, LINKS_EXPONENT, MOST_LINKS)
    while (places.length < links) places.push(this.#linkOf(host, page, places.length))
    return places
  }

  #linkOf(from: number, page: number, index: number): Place {
    const key = page * MOST_LINKS + index
    const kind = this.#draw(6, from, key)
    // Few hosts, and few pages of a host, get most of the links.
    const host =
      kind < REMOTE_SHARE ? Math.floor(this.options.hosts * this.#draw(7, from, key) ** 2) : from
    if (kind > 1 - DEAD_SHARE) return { host, page: -1 - index }
    return { host, page: Math.floor(this.pagesOf(host) * this.#draw(8, from, key) ** 2) }
  }

  /** Returns the target of a host that redirects all its pages. */
  targetOf(host: number): Place {
    return { host: (host * 7 + 1) % 10, page: 0 }
  }

  /** Returns the number of changes of a page before a crawl. @param crawl number of the crawl, from 0 */
  versionOf({ host, page }: Place, crawl: number): number {
    let version = 0
    for (let each = 1; each <= crawl; each++) {
      if (this.#draw(9, host, page * MOST_LINKS + each) < CHANGE_SHARE) version++
    }
    return version
  }

  /** Returns a number in [0, 1) for properties that aren't computed here, such as the text of a page. */
  choiceOf({ host, page }: Place): number {
    return this.#draw(10, host, page)
  }

  /** Returns the milliseconds after which the name server of a host responds. */
  nameLatencyOf(host: number): number {
    return Math.round(200 ** this.#draw(11, host))
  }

  originOf(host: number): string {
    return `${this.options.scheme}://${nameOf(host)}`
  }

  urlOf({ host, page }: Place): string {
    return this.originOf(host) + pathOf(page)
  }

  #draw(purpose: number, first: number, second = 0): number {
    return draw(this.options.seed, purpose, first, second)
  }
}

export function nameOf(host: number): string {
  return `www.s${host}.test`
}

/** Returns the number of the host with this name; undefined if the web has no such host. */
export function hostNamed(name: string, hosts: number): number | undefined {
  const number = Number(/^www\.s(\d{1,7})\.test$/.exec(name)?.[1] ?? Number.NaN)
  return number < hosts ? number : undefined
}

/** Returns the address of a host, from 127.1.0.0 on. */
export function addressOf(host: number): readonly [number, number, number, number] {
  return [127, 1 + (host >> 16), (host >> 8) & 255, host & 255]
}

/** Returns the host at an address. */
export function hostAt(address: string): number {
  const [, second = 0, third = 0, fourth = 0] = address.split('.').map(Number)
  return ((second - 1) << 16) | (third << 8) | fourth
}

export function pathOf(page: number): string {
  return page === 0 ? '/' : page > 0 ? `/p${page}.html` : `/missing${-page}.html`
}

/** Returns the page with a path. Its number is negative if the page can't exist. */
export function pageAt(path: string): number {
  if (path === '/') return 0
  const number = path.startsWith('/p') && path.endsWith('.html') ? Number(path.slice(2, -5)) : -1
  return Number.isInteger(number) ? number : -1
}

/** Returns the place of a URL that `urlOf` returned. */
export function placeOf(url: string): Place {
  const [, host = '', path = ''] = /^https?:\/\/www\.s(\d+)\.test(\/.*)$/.exec(url) ?? []
  const missing = /^\/missing(\d+)\.html$/.exec(path)?.[1]
  return { host: Number(host), page: missing === undefined ? pageAt(path) : -Number(missing) }
}
