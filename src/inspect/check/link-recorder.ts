import { openTemporaryDatabase } from '../../database/sqlite.ts'
import type { Output } from '../../output/output.ts'
import { PROCESSING_FAILURES } from '../../records/error-code.ts'
import type { Delivery, PageLinks } from '../../records/visit-attachments.ts'
import type { Positions } from '../../state/ledger.ts'
import { withoutFragment } from '../../url/fragment.ts'
import { imageDefectOf } from './image-defect.ts'
import type { CachedLink, LinkCache } from './link-cache.ts'
import {
  LINK_TABLES,
  type LinkCriteria,
  type LinkFinding,
  LinkFindings,
  type LinkProblem,
  type RedirectSettings,
} from './link-findings.ts'

const FINDINGS = 'SELECT finding FROM findings ORDER BY id'
const WIDESPREAD = `
  SELECT finding ->> 'problem' AS problem, finding ->> 'to' AS target, count(*) AS pages
  FROM findings GROUP BY 1, 2 HAVING count(*) > ?`
const DISTINCT_IMAGES = 'SELECT count(DISTINCT target) AS images FROM links WHERE image'
const TRUNCATED = 'SELECT url FROM pages WHERE truncated ORDER BY id'
const REQUESTED = 'SELECT url FROM visits WHERE external IS NOT NULL'
/** Chains of redirects that begin out of the scope and end well, without the pages that were read and broken images. */
const WORKING = `
  WITH RECURSIVE good(url) AS (
    SELECT url FROM visits v WHERE target IS NULL AND status < 300 AND error IS NULL AND external IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.url = v.url)
      AND (defect IS NULL OR url NOT IN (SELECT target FROM links WHERE image AND target IS NOT NULL))
    UNION SELECT v.url FROM visits v JOIN good ON v.target = good.url
      WHERE v.error IS NULL AND external IS NOT NULL)
  SELECT url, status, target, defect, why FROM visits WHERE url IN (SELECT url FROM good)`
const UNCHECKED = 'SELECT count(*) AS images FROM unchecked'

/** Tables of the results. */
const TABLES = `
  CREATE TABLE findings (id INTEGER PRIMARY KEY, finding TEXT);
  CREATE TABLE unchecked (url TEXT PRIMARY KEY) WITHOUT ROWID`

/** The links that count as findings. */
interface RecordedLinks extends LinkCriteria {
  /** True to leave all links but those of images out of the findings. */
  readonly onlyImages?: boolean | undefined
}

/** An output that stores, on disk, the links of each page and the outcome of each URL. */
export class LinkRecorder implements Output {
  readonly congested = false
  readonly onlyImages: boolean
  readonly #settings: RedirectSettings
  readonly #criteria: LinkCriteria
  readonly #database = openTemporaryDatabase()
  readonly #cache: LinkCache | undefined
  readonly #cachedUrls = new Set<string>()
  readonly #insertVisit
  readonly #insertCachedVisit
  readonly #insertPage
  readonly #insertLink
  #pages = 0
  /** Number of pages and style sheets. */
  #sources = 0
  #links = 0
  #images = 0
  #unchecked = 0
  #known = 0
  #isJudged = false

  constructor(
    settings: RedirectSettings,
    { onlyImages = false, ...criteria }: RecordedLinks = {},
    cache?: LinkCache,
  ) {
    this.#cache = cache
    this.#settings = settings
    this.#criteria = criteria
    this.onlyImages = onlyImages
    this.#database.exec(`${LINK_TABLES}; ${TABLES}`)
    const insert = (into: string) => this.#database.prepare(`INSERT OR REPLACE INTO ${into}`)
    this.#insertVisit = insert('visits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    this.#insertCachedVisit = this.#database.prepare(
      'INSERT OR IGNORE INTO visits VALUES (?, 0, ?, NULL, NULL, ?, ?, ?, NULL)',
    )
    this.#insertPage = insert('pages VALUES (?, ?, ?, ?)')
    this.#insertLink = insert('links VALUES (NULL, ?, ?, ?, ?, ?)')
  }

  /** Number of pages that were read. */
  get pages(): number {
    return this.#pages
  }

  /** Number of links of all pages; each link counts once per page. */
  get links(): number {
    return this.#links
  }

  /** Number of images among these links. */
  get images(): number {
    return this.#images
  }

  /** Number of different image URLs. */
  get distinctImages(): number {
    return Number(this.#database.prepare(DISTINCT_IMAGES).get()?.['images'])
  }

  /**
   * Number of links that were not checked, or only of images if the findings are on images. Read it only after the end of
   * the crawl.
   */
  get unchecked(): number {
    this.#judge()
    return this.#unchecked
  }

  /** True if links of an earlier check need not be requested. */
  get hasCache(): boolean {
    return this.#cache !== undefined
  }

  /** Number of URLs whose outcome is from the cache. */
  get cached(): number {
    return this.#cachedUrls.size
  }

  /** Returns whether the outcome of a link out of the scope is in the cache, and if so, stores that outcome. */
  readonly isCached = (url: string): boolean => {
    const chain = this.#cache?.chainOf(url) ?? []
    if (chain.length > 0) this.#cachedUrls.add(url)
    for (const link of chain) this.#insertCached(link)
    return chain.length > 0
  }

  /** Writes the cache. Call it only after the end of the crawl. */
  writeCache(time = Date.now()): void {
    const requested = this.#database.prepare(REQUESTED).all()
    const working = this.#database.prepare(WORKING).all()
    this.#cache?.write(
      requested.map(({ url }) => String(url)),
      working.map(({ url, status, target, defect, why }) => ({
        url: String(url),
        status: Number(status),
        time,
        ...(target !== null && { redirectsTo: String(target) }),
        ...(defect !== null && { imageError: { code: String(defect), message: String(why) } }),
      })),
    )
  }

  /** Number of problems that an earlier check found. Read it only after the end of the crawl. */
  get known(): number {
    this.#judge()
    return this.#known
  }

  /** Number of different image URLs that were not checked. Read it only after the end of the crawl. */
  get uncheckedImages(): number {
    this.#judge()
    return Number(this.#database.prepare(UNCHECKED).get()?.['images'])
  }

  /** Yields the URLs of pages and style sheets that were read only in part. Their further links are unknown. */
  *truncatedUrls(): Generator<string> {
    for (const { url } of this.#database.prepare(TRUNCATED).iterate()) yield String(url)
  }

  /** Yields findings page by page. Call it only after the end of the crawl. */
  *findings(): Generator<LinkFinding> {
    this.#judge()
    for (const { finding } of this.#database.prepare(FINDINGS).iterate())
      yield JSON.parse(String(finding))
  }

  /** Returns the problems that more than `most` pages have, each with its number of pages. Call it only after the end of the crawl. */
  widespread(most: number): (Pick<LinkFinding, 'problem' | 'to'> & { readonly pages: number })[] {
    this.#judge()
    return this.#database
      .prepare(WIDESPREAD)
      .all(most)
      .map(({ problem, target, pages }) => ({
        problem: problem as LinkProblem,
        to: String(target),
        pages: Number(pages),
      }))
  }

  /** Judges all links, and stores the findings: a report reads them several times. */
  #judge(): void {
    if (this.#isJudged) return
    this.#isJudged = true
    const insert = this.#database.prepare('INSERT INTO findings VALUES (NULL, ?)')
    const addUnchecked = this.#database.prepare('INSERT OR IGNORE INTO unchecked VALUES (?)')
    const findings = new LinkFindings(this.#database, this.#settings, this.#criteria)
    for (const verdict of findings.verdicts()) {
      if (this.onlyImages && verdict.image !== true) continue
      if (verdict.problem === 'known') this.#known++
      else if (verdict.problem === 'unchecked') {
        this.#unchecked++
        if (verdict.image === true) addUnchecked.run(withoutFragment(verdict.to))
      } else insert.run(JSON.stringify(verdict))
    }
  }

  open(): void {}

  write(visits: readonly Delivery[]): void {
    for (const { record, pageLinks, imageKind } of visits) {
      const { url, contentType, hop, status, error: recorded, redirectsTo } = record.fields
      const error = PROCESSING_FAILURES.includes(recorded?.code ?? '') ? undefined : recorded
      const defect = imageDefectOf(record.fields, imageKind)
      const about = [error?.code, error?.message, redirectsTo, defect?.code, defect?.message]
      const outcome = [status, ...about]
      const row = [...outcome, hop === 'external' || hop === 'redirect' ? 1 : undefined]
      this.#cachedUrls.delete(url)
      this.#insertVisit.run(url, hop === 'seed' ? 1 : 0, ...row.map((value) => value ?? null))
      if (pageLinks === undefined) continue
      this.#insertPageLinks(pageLinks, record.fields.truncated === true)
      // HTML that was sent in place of an image or a script is not a page of the site.
      if (hop !== 'asset' && contentType !== 'text/css') this.#pages += 1
    }
  }

  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  /** Keeps the database open for `findings`. */
  async close(): Promise<void> {}

  dispose(): void {
    this.#database.close()
  }

  /** Stores an outcome of the cache, unless the URL was requested. */
  #insertCached({ url, status, redirectsTo, imageError }: CachedLink): void {
    const defect = [imageError?.code ?? null, imageError?.message ?? null]
    this.#insertCachedVisit.run(url, status, redirectsTo ?? null, ...defect)
  }

  #insertPageLinks(
    { from, to, invalid, anchors, images = [] }: PageLinks,
    truncated: boolean,
  ): void {
    const imageUrls = new Set(images)
    const isImage = (url: string) => (imageUrls.has(url) ? 1 : 0)
    this.#images += imageUrls.size
    const page = ++this.#sources
    const names = anchors === undefined ? null : JSON.stringify(anchors)
    this.#insertPage.run(page, from, names, truncated ? 1 : 0)
    this.#links += to.length + invalid.length
    for (const url of to) {
      const target = withoutFragment(url)
      this.#insertLink.run(page, target, url.slice(target.length), 0, isImage(url))
    }
    for (const text of invalid) this.#insertLink.run(page, text, '', 1, isImage(text))
  }
}
