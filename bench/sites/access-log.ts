import { readFileSync } from 'node:fs'
import type { Site } from './site.ts'

/** The requests of a crawler to a site, as logged by the server: the same measure for all crawlers. */
export interface Requested {
  readonly requests: number
  /** Paths of the HTML pages that were sent. */
  readonly pages: ReadonlySet<string>
}

/** Returns the requests since the log was emptied. */
export function readAccessLog(file: string, site: Site): Requested {
  const ports = [site.origin, site.direct].map((origin) => new URL(origin).port)
  const lines = readFileSync(file, 'utf8').split('\n')
  const requests = lines.map((line) => line.split(' ')).filter(([at = '']) => ports.includes(at))
  const pages = requests.filter(
    ([, method, status, type]) => method === 'GET' && status === '200' && type === 'text/html',
  )
  const paths = pages.map((page) => canonicalPath(page.slice(4).join(' ')))
  return { requests: requests.length, pages: new Set(paths) }
}

/** Removes unnecessary percent-encoding from a path, since crawlers encode the same path in different ways. */
export function canonicalPath(path: string): string {
  const { pathname, search } = new URL(path, 'http://localhost')
  const plain = pathname.replace(/%[\da-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~!$&'()*+,;=:@-]/.test(character) ? character : escaped.toUpperCase()
  })
  return plain + search
}
