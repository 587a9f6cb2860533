import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { canonicalPath } from './access-log.ts'
import type { Site } from './site.ts'

const AT_ONCE = 16
/** Attributes that link to a page, by element. */
const LINKS: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  iframe: 'src',
  frame: 'src',
}

/**
 * Returns the paths of all HTML pages of a site that links lead to. They are found in the simplest way, with a parser
 * that none of the crawlers uses. The result of an earlier search is read from a file in the folder.
 */
export async function pagesOf(site: Site, folder: string): Promise<ReadonlySet<string>> {
  const file = join(folder, `${site.root.replaceAll('/', '_')}.pages`)
  if (!existsSync(file)) writeFileSync(file, [...(await search(site))].join('\n'))
  return new Set(readFileSync(file, 'utf8').split('\n'))
}

async function search({ direct: origin, seed }: Site): Promise<Set<string>> {
  const known = new Set([new URL(seed, origin).href])
  const waiting = [...known]
  const pages = new Set<string>()
  while (waiting.length > 0) {
    const found = await Promise.all(waiting.splice(-AT_ONCE).map((url) => visit(url, pages)))
    for (const url of found.flat()) {
      if (known.has(url) || !url.startsWith(`${origin}/`)) continue
      known.add(url)
      waiting.push(url)
    }
  }
  return pages
}

async function visit(url: string, pages: Set<string>): Promise<string[]> {
  const response = await fetch(url, { redirect: 'manual' })
  const body = await response.text()
  if (response.status >= 500) throw new Error(`${url}: the server said ${response.status}`)
  const location = response.headers.get('location')
  if (location !== null) return resolve([location], url)
  if (!response.ok || response.headers.get('content-type') !== 'text/html') return []
  pages.add(canonicalPath(url))
  return linksOf(body, url)
}

function linksOf(html: string, url: string): string[] {
  const hrefs: string[] = []
  let base = url
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const href = attributes[LINKS[name] ?? '']
      if (href !== undefined) hrefs.push(href)
      if (name === 'base' && base === url)
        base = URL.parse(attributes['href'] ?? '', url)?.href ?? url
      const refresh = name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh'
      const target = refresh && /url\s*=\s*['"]?([^'"]*)/i.exec(attributes['content'] ?? '')?.[1]
      if (target) hrefs.push(target)
    },
  })
  parser.end(html)
  return resolve(hrefs, base)
}

function resolve(hrefs: readonly string[], base: string): string[] {
  const urls = hrefs.map((href) => URL.parse(href, base)).filter((url) => url !== null)
  return urls.map((url) => {
    url.hash = ''
    return url.href
  })
}
