import { missingExtension } from './extension.ts'
import { safeSegment, shortHash } from './safe-segment.ts'

/** Bytes of all folders of a path: systems allow 1,024 for the whole, and somebody's own come before. */
const MAX_FOLDERS = 500
const EXTENSION = /^(.+)\.([A-Za-z0-9]{1,12})$/

/** Where a URL would like to lie, each part safe on all systems. Others may lie there. */
export interface FileName {
  readonly folders: readonly string[]
  readonly stem: string
  /** With its dot, or empty. */
  readonly extension: string
}

/**
 * `https://example.com:8080/a/b?c=d` as HTML is `example.com+8080/a/b@c=d.html`, and a folder's page is
 * `index.html` in it.
 * @param url canonical
 * @param type of the content, lower case, without parameters; empty when it is unknown
 */
export function fileNameOf(url: string, type: string): FileName {
  const { hostname, port, pathname, search } = new URL(url)
  const segments = pathname.slice(1).split('/')
  const last = segments.pop() ?? ''
  const host = port === '' ? hostname : `${hostname}+${port}`
  const query = search === '' ? '' : `@${search.slice(1)}`
  return { folders: foldersOf([host, ...segments]), ...lastPart(last, query, type) }
}

function lastPart(last: string, query: string, type: string) {
  const [, name = last === '' ? 'index' : last, written] = EXTENSION.exec(last) ?? []
  const own = written === undefined ? '' : `.${written}`
  const missing = missingExtension(written, type)
  // The query comes before the extension, and behind one that says something else.
  const stem = missing === '' ? name + query : name + own + query
  return { stem: safeSegment(stem), extension: missing === '' ? own : missing }
}

/** A path of thousands of folders is cut, and told from others by a hash. */
function foldersOf(segments: readonly string[]): string[] {
  const folders = segments.map(safeSegment)
  const kept: string[] = []
  let room = MAX_FOLDERS
  for (const folder of folders) {
    room -= Buffer.byteLength(folder) + 1
    if (room < 0) return [...kept, `_${shortHash(folders.join('/'))}`]
    kept.push(folder)
  }
  return kept
}
