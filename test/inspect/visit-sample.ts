import { writeFileSync } from 'node:fs'
import type { Visit } from '../../src/records/visit.ts'
import { seededRandom } from '../support/random.ts'

const TYPES = ['text/html', 'text/html', 'text/html', 'application/pdf', 'image/png', 'text/plain']
const ERRORS = ['timeout', 'connection-reset', 'dns-failure'] as const
const AREAS = ['guide', 'reference', 'news', 'people', 'archive']
const START = Date.UTC(2026, 10, 21, 6)

/**
 * Returns the output lines of a crawl of some hosts, with everything that a report shows. The same number yields the
 * same lines.
 */
function sampleOf(visits: number): string[] {
  const random = seededRandom(visits)
  const urls = Array.from({ length: visits }, (_, page) => urlOf(page))
  return urls.map((url, page) => {
    const via = urls[Math.floor((random() * page) / 3)]
    const common = {
      ...{ url, depth: Math.min(9, Math.floor(Math.log2(page + 1) / 2)), attempts: 1 },
      ...(page === 0 ? { hop: 'seed' as const } : { hop: 'link' as const, via: via ?? url }),
      ...{ worker: 1 + (page % 4), ms: Math.ceil(8 / (random() + 0.0008)) },
      time: new Date(START + page * 4 + Math.sin(page / 900) * 900).toISOString(),
    }
    return JSON.stringify(visitOf(common, page, urls, random))
  })
}

function urlOf(page: number): string {
  const host =
    ['www.example.com', 'docs.example.com', 'static.example.com'][page % 7] ?? 'example.org'
  return `https://${host}/${AREAS[page % AREAS.length]}/${page}-a-page-of-the-sample.html`
}

function visitOf(
  common: Omit<Visit, 'status'>,
  page: number,
  urls: readonly string[],
  random: () => number,
): Visit {
  const share = random()
  if (page > 0 && share < 0.012) return { ...common, status: share < 0.01 ? 404 : 503, bytes: 162 }
  if (page > 0 && share < 0.016) {
    const code = ERRORS[page % ERRORS.length] ?? 'timeout'
    return { ...common, error: { code, message: `${code} while talking to the server` } }
  }
  if (page > 0 && share < 0.06) {
    const redirectsTo = urls[page + 1] ?? urls[0] ?? ''
    return { ...common, status: share < 0.05 ? 301 : 302, redirectsTo, bytes: 0 }
  }
  const contentType = TYPES[page % TYPES.length] ?? 'text/html'
  const title = share > 0.97 ? 'Untitled' : `Page ${page} of the sample, and what it is about`
  const bytes = Math.ceil(4_000 / (random() + 0.0005))
  return contentType === 'text/html'
    ? { ...common, status: 200, contentType, bytes, title, links: Math.floor(random() * 80) }
    : { ...common, status: 200, contentType, bytes }
}

/** Writes the sample to a file. */
export function writeSample(file: string, visits: number): void {
  writeFileSync(file, `${sampleOf(visits).join('\n')}\n`)
}
