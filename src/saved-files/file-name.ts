import mime from 'mime'
import { safeSegment, shortHash } from './safe-path-segment.ts'

/**
 * Maximum bytes of a path's folders. Systems allow 1,024 for the whole path, which begins with the
 * user's folder.
 */
const MAX_FOLDERS = 500
const EXTENSION = /^(.+)\.([A-Za-z0-9]{1,12})$/

/**
 * Types that browsers recognize by the file name alone. Files of other types must not get their
 * extensions.
 */
const TYPED_BY_EXTENSION: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/css',
  'text/javascript',
  'image/svg+xml',
])

/** Preferred file name of a URL, each part safe on all systems. The name may be taken already. */
export interface FileName {
  readonly folders: readonly string[]
  readonly stem: string
  /** With its dot, or empty. */
  readonly extension: string
}

/**
 * Returns the preferred file name of a URL. `https://example.com:8080/a/b?c=d` as HTML becomes
 * `example.com+8080/a/b@c=d.html`; the page of a folder becomes `index.html` in it.
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

/**
 * Returns a test of whether the file of a URL has one of these extensions, or another one of the same type, as `.jpeg`
 * for `jpg`.
 * @param extensions lower case, without dots
 */
export function hasExtension(
  extensions: readonly string[],
): (url: string, type: string) => boolean {
  const wanted = new Set(extensions.flatMap((each) => [each, ...extensionsLike(each)]))
  return (url, type) => wanted.has(fileNameOf(url, type).extension.slice(1).toLowerCase())
}

function extensionsLike(extension: string): Iterable<string> {
  const type = mime.getType(extension)
  return (type !== null && mime.getAllExtensions(type)) || []
}

function lastPart(last: string, query: string, type: string) {
  const [, name = last === '' ? 'index' : last, written] = EXTENSION.exec(last) ?? []
  const own = written === undefined ? '' : `.${written}`
  const missing = missingExtension(written, type)
  // The query comes before the extension, or after it if another extension is added.
  const stem = missing === '' ? name + query : name + own + query
  return { stem: safeSegment(stem), extension: missing === '' ? own : missing }
}

/**
 * Returns the folders of a file. Cuts a path that is too long, and adds a hash to keep it unique.
 */
function foldersOf(segments: readonly string[]): string[] {
  const folders = segments.map(safeSegment)
  const kept: string[] = []
  let remaining = MAX_FOLDERS
  for (const folder of folders) {
    remaining -= Buffer.byteLength(folder) + 1
    if (remaining < 0) return [...kept, `_${shortHash(folders.join('/'))}`]
    kept.push(folder)
  }
  return kept
}

/**
 * Returns the extension, with its dot, that a name lacks for its type; empty if it needs none.
 * @param extension of the name, without its dot; undefined when there is none
 * @param type lower case, without parameters; empty when it is unknown
 */
function missingExtension(extension: string | undefined, type: string): string {
  const missing = mime.getExtension(type)
  if (!missing || type === 'application/octet-stream') return ''
  if (extension !== undefined && matchesType(extension, type)) return ''
  return `.${missing}`
}

function matchesType(extension: string, type: string): boolean {
  if (mime.getAllExtensions(type)?.has(extension.toLowerCase())) return true
  const usualType = mime.getType(extension)
  if (usualType === null) return type.startsWith('text/') && !TYPED_BY_EXTENSION.has(type)
  return !TYPED_BY_EXTENSION.has(type) && !TYPED_BY_EXTENSION.has(usualType)
}
