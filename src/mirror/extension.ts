import mime from 'mime'

/** Types that browsers recognize by the file name alone; no other type may get their extensions. */
const TYPED_BY_EXTENSION: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/css',
  'text/javascript',
  'image/svg+xml',
])

/**
 * Returns the extension, with its dot, that a name lacks for its type; empty if it needs none.
 * @param extension of the name, without its dot; undefined when there is none
 * @param type lower case, without parameters; empty when it is unknown
 */
export function missingExtension(extension: string | undefined, type: string): string {
  const missing = mime.getExtension(type)
  if (!missing || type === 'application/octet-stream') return ''
  if (extension !== undefined && matchesType(extension, type)) return ''
  return `.${missing}`
}

function matchesType(extension: string, type: string): boolean {
  if (mime.getAllExtensions(type)?.has(extension.toLowerCase())) return true
  const told = mime.getType(extension)
  if (told === null) return type.startsWith('text/') && !TYPED_BY_EXTENSION.has(type)
  return !TYPED_BY_EXTENSION.has(type) && !TYPED_BY_EXTENSION.has(told)
}
