import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type BREAKAGES, type GeneratedWeb, type Place, placeOf } from './generated-web.ts'

/** A difference between the expected and the reported outcome, and the number of URLs that have it. */
export interface Difference {
  readonly host: string
  readonly expected: string
  readonly got: string
  readonly example: string
  count: number
}

/** The files of a process: records, of which those from the byte `start` on are new, and skipped URLs. */
export interface CrawlFiles {
  readonly visits: string
  readonly skipped: string
  readonly start: number
}

/** The permitted outcomes of a URL. */
type Outcomes = readonly string[]

const UNREACHABLE: Outcomes = ['robots-unreachable']
const WORKING: Outcomes = ['200']
const DISALLOWED: Outcomes = ['skipped: robots']
/** The outcomes of the pages of a broken host. A host that responds only with 503 may be given up. */
const OUTCOMES_OF: Record<(typeof BREAKAGES)[number], Outcomes> = {
  'unknown name': UNREACHABLE,
  'name server fails': UNREACHABLE,
  'name server is silent': UNREACHABLE,
  refuses: UNREACHABLE,
  resets: UNREACHABLE,
  'times out': UNREACHABLE,
  unavailable: ['503', 'skipped: host-failed'],
  gone: ['404'],
  redirects: ['301'],
  'robots.txt missing': WORKING,
  'robots.txt forbidden': WORKING,
  'robots.txt fails': UNREACHABLE,
  'robots.txt large': WORKING,
  'robots.txt disallows': DISALLOWED,
}

/** Searches the web like a crawl without limits, and compares the records of a crawl with the expected outcomes. */
export class Truth {
  readonly #web: GeneratedWeb
  /** The index of the first page of each host, and at the end the number of all pages. */
  readonly #first: Uint32Array
  /** For each page, 0 if it can't be reached, 1 if it can, and 2 if the crawl has reported its outcome. */
  readonly #pages: Uint8Array
  /** URLs of links that lead to no page, and whether the crawl has reported their outcome. */
  readonly #dead = new Map<string, boolean>()
  /** Number of URLs whose outcome the crawl must report. */
  reached = 0
  /** Number of pages that respond with 200. */
  working = 0

  constructor(web: GeneratedWeb, seeds: readonly Place[]) {
    this.#web = web
    const { hosts } = web.options
    this.#first = new Uint32Array(hosts + 1)
    for (let host = 0; host < hosts; host++)
      this.#first[host + 1] = (this.#first[host] ?? 0) + web.pagesOf(host)
    this.#pages = new Uint8Array(this.#first[hosts] ?? 0)
    this.#search(seeds)
  }

  /** The number of all pages of the web, including those that no links lead to. */
  get pages(): number {
    return this.#pages.length
  }

  /** Compares the files of a crawl with the truth. @param crawl number of the crawl; after 0, crawls revisit pages */
  async compare(files: readonly CrawlFiles[], crawl = 0): Promise<Difference[]> {
    const differences = new Map<string, Difference>()
    const differ = (place: Place, expected: Outcomes, got: string) => {
      const host = this.#web.breakageOf(place.host) ?? 'working'
      const key = `${host} ${expected} ${got}`
      const known = differences.get(key)
      if (known !== undefined) known.count++
      else {
        const example = this.#web.urlOf(place)
        differences.set(key, { host, expected: expected.join(' or '), got, example, count: 1 })
      }
    }
    for (const { visits, skipped, start } of files) {
      for await (const line of linesOf(visits, start)) this.#check(line, crawl, differ)
      for await (const line of linesOf(skipped, 0)) this.#check(line, crawl, differ)
    }
    this.#missing(crawl, differ)
    return [...differences.values()]
  }

  #check(line: string, crawl: number, differ: (...args: [Place, Outcomes, string]) => void): void {
    const { url, status, error, reason, change } = JSON.parse(line)
    const place = placeOf(url)
    const expected = this.#expected(place, crawl)
    const got = reason
      ? `skipped: ${reason}`
      : (error?.code ?? String((crawl > 0 && change) || status))
    if (!this.#mark(place)) differ(place, ['one record'], got)
    else if (!expected.includes(got)) differ(place, expected, got)
  }

  #missing(crawl: number, differ: (...args: [Place, Outcomes, string]) => void): void {
    for (let host = 0; host < this.#web.options.hosts; host++) {
      const first = this.#first[host] ?? 0
      for (let page = 0; page < this.#web.pagesOf(host); page++) {
        const place = { host, page }
        if (this.#pages[first + page] === 1) differ(place, this.#expected(place, crawl), 'nothing')
        if (this.#pages[first + page] === 2) this.#pages[first + page] = 1
      }
    }
    for (const [url, isKnown] of this.#dead) {
      if (!isKnown) differ(placeOf(url), ['404'], 'nothing')
      this.#dead.set(url, false)
    }
  }

  #expected(place: Place, crawl: number): Outcomes {
    const breakage = this.#web.breakageOf(place.host)
    const outcomes = breakage === undefined ? WORKING : OUTCOMES_OF[breakage]
    const isDead = outcomes === WORKING && place.page < 0
    if (crawl === 0) return isDead ? ['404'] : outcomes
    if (outcomes === WORKING && !isDead && this.#hasChanged(place, crawl)) return ['changed']
    // Missing pages and redirects are the same as before. After a failure, that is unknown.
    return [UNREACHABLE, DISALLOWED].includes(outcomes) || outcomes.length > 1 ? outcomes : ['same']
  }

  #hasChanged(place: Place, crawl: number): boolean {
    return this.#web.versionOf(place, crawl) !== this.#web.versionOf(place, crawl - 1)
  }

  /** Records an outcome of a place. Returns whether it is the first outcome of a place that can be reached. */
  #mark(place: Place): boolean {
    if (place.page < 0) {
      const url = this.#web.urlOf(place)
      const isFirst = this.#dead.get(url) === false
      this.#dead.set(url, true)
      return isFirst
    }
    const index = (this.#first[place.host] ?? 0) + place.page
    const isFirst = this.#pages[index] === 1
    this.#pages[index] = 2
    return isFirst
  }

  #search(seeds: readonly Place[]): void {
    const waiting: Place[] = []
    const reach = (place: Place) => {
      if (place.page < 0) {
        const url = this.#web.urlOf(place)
        if (this.#dead.has(url)) return
        this.#dead.set(url, false)
      } else {
        const index = (this.#first[place.host] ?? 0) + place.page
        if (this.#pages[index] === 1) return
        this.#pages[index] = 1
        waiting.push(place)
      }
      this.reached++
    }
    for (const seed of seeds) reach(seed)
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const [outcome] = this.#expected(place, 0)
      if (outcome === '301') reach(this.#web.targetOf(place.host))
      if (outcome !== '200') continue
      this.working++
      for (const link of this.#web.linksOf(place)) reach(link)
    }
  }
}

function linesOf(file: string, start: number) {
  return createInterface({ input: createReadStream(file, { start }) })
}
