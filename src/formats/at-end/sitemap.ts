import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { compressionOf, uncompressedName } from '../../compressed-files/compression.ts'
import { XML_HEAD, xmlText } from '../../encoding/escape-xml.ts'
import { isHtml } from '../../fetch/content-type.ts'
import type { StoredVisits } from '../../output/stored-visits.ts'
import type { Visit } from '../../records/visit.ts'
import { withoutFragment } from '../../url/fragment.ts'
import type { Derivation } from './derived-output.ts'

/** Limits of a sitemap (sitemaps.org/protocol.html). */
const LIMITS = { urls: 50_000, bytes: 50 * 2 ** 20 }
/** Characters of a URL that is too long for a sitemap. */
const TOO_LONG = 2_048
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/**
 * Derives the sitemap of the visited pages. If it exceeds the limits, parts are written to files
 * next to it, and it becomes their index.
 * @param name name of the file; - is stdout, which can't be split
 */
export function sitemap(name: string, limits = LIMITS): Derivation {
  return function* derive(visits) {
    if (name === '-') {
      yield* urlset(pagesOf(visits))
      return
    }
    const locations: string[] = []
    let last: readonly string[] = []
    const writeLast = () => {
      const file = partName(name, locations.length + 1)
      // Delete a file of that name first: it may be a link, which must not be followed.
      rmSync(file, { force: true })
      const text = [...urlset(last)].join('')
      const content = compressionOf(name)?.compressSync(text) ?? text
      writeFileSync(file, content, { flag: 'wx', flush: true })
      locations.push(locationOf(file, last))
    }
    for (const part of partsOf(visits, limits)) {
      if (part === undefined) yield ''
      else {
        if (last.length > 0) writeLast()
        last = part
      }
    }
    if (locations.length === 0) {
      yield* urlset(last)
      return
    }
    writeLast()
    yield `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n`
    for (const url of locations) yield `<sitemap><loc>${xmlText(url)}</loc></sitemap>\n`
    yield '</sitemapindex>\n'
  }
}

/** Parts of `sitemap.xml` are `sitemap-1.xml` and so on, in the same folder. */
function partName(name: string, number: number): string {
  const extension = extensionOf(name)
  return `${name.slice(0, name.length - extension.length)}-${number}${extension}`
}

/** Returns `.xml.gz` for `sitemap.xml.gz`. */
function extensionOf(name: string): string {
  const uncompressed = uncompressedName(name)
  return `${extname(uncompressed)}${name.slice(uncompressed.length)}`
}

/** Returns an existing file with the name of a part; undefined when there is none. */
export function existingPart(name: string): string | undefined {
  const extension = extensionOf(name)
  const start = `${basename(name, extension)}-`
  const isPart = (file: string) =>
    file.startsWith(start) &&
    file.endsWith(extension) &&
    /^\d+$/.test(file.slice(start.length, file.length - extension.length))
  const part = readdirSync(dirname(name)).find(isPart)
  return part && join(dirname(name), part)
}

/**
 * Returns the URL of a part in the index, which assumes that parts are served from the root of the
 * site.
 */
function locationOf(file: string, [first = '']: readonly string[]): string {
  return new URL(`/${encodeURIComponent(basename(file))}`, first).href
}

/** Yields the URLs of each part of a sitemap, and undefined between them after each visit. */
function* partsOf(visits: StoredVisits, limits: typeof LIMITS): Generator<string[] | undefined> {
  let urls: string[] = []
  const frame = [...urlset([])].join('').length
  let bytes = frame
  for (const url of pagesOf(visits)) {
    yield undefined
    if (url === undefined) continue
    const { length } = entryOf(url)
    if (urls.length === limits.urls || bytes + length > limits.bytes) {
      yield urls
      urls = []
      bytes = frame
    }
    urls.push(url)
    bytes += length
  }
  if (urls.length > 0) yield urls
}

/**
 * Yields the pages that a search engine would list: found, inside the scope, and without another canonical page. Yields
 * undefined for other visits.
 */
function* pagesOf(visits: StoredVisits): Generator<string | undefined> {
  for (const { visit } of visits.current()) yield isListed(visit, visits) ? visit.url : undefined
}

function isListed(visit: Visit, visits: StoredVisits): boolean {
  const { url, status, error, noindex, duplicateOf } = visit
  if (url.length >= TOO_LONG) return false
  const isFound = status === 200 && error === undefined && isPage(visit)
  return isFound && !noindex && isItsOwnCanonical(visit, visits) && duplicateOf === undefined
}

/** HTML in place of an image is not a page: some sites respond to requests for missing images with an error page. */
function isPage(visit: Visit): boolean {
  return isHtml(visit.contentType ?? '') && visit.hop !== 'asset' && !isCheckedOnly(visit)
}

/**
 * The canonical URL of a page may lack its fragment, which is the route of a single-page app. It may also be one that
 * `--canonicalize` merges with the URL of the page, unless it was visited, too, as a seed.
 */
function isItsOwnCanonical({ url, canonical = url }: Visit, visits: StoredVisits): boolean {
  const own = [url, withoutFragment(url)]
  if (own.includes(canonical)) return true
  return own.includes(visits.merged(canonical)) && !visits.has(canonical)
}

/** Returns whether the URL is outside the scope, where `--external` sends HEAD: the size of its body is unknown. */
function isCheckedOnly({ hop, bytes }: Visit): boolean {
  return (hop === 'external' || hop === 'redirect') && bytes === undefined
}

/** Canonical URLs are ASCII, so the length of an entry is its size in bytes. */
function entryOf(url: string): string {
  return `<url><loc>${xmlText(url)}</loc></url>\n`
}

/** Yields the text of a sitemap; an empty text in place of undefined. */
function* urlset(urls: Iterable<string | undefined>): Generator<string> {
  yield `${XML_HEAD}<urlset ${NAMESPACE}>\n`
  for (const url of urls) yield url === undefined ? '' : entryOf(url)
  yield '</urlset>\n'
}
