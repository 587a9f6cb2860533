import mime from 'mime'

/** Types that browsers tell from a file's name alone, and that nothing else may look like. */
const TOLD_BY_NAME: ReadonlySet<string> = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/css',
  'text/javascript',
  'image/svg+xml',
])

/**
 * What a name lacks to be opened as a type, with its dot: empty where the extension will do.
 * @param extension of the name, without its dot; undefined when there is none
 * @param type lower case, without parameters; empty when it is unknown
 */
export function missingExtension(extension: string | undefined, type: string): string {
  const missing = mime.getExtension(type)
  if (!missing || type === 'application/octet-stream') return ''
  if (extension !== undefined && isHonest(extension, type)) return ''
  return `.${missing}`
}

function isHonest(extension: string, type: string): boolean {
  if (mime.getAllExtensions(type)?.has(extension.toLowerCase())) return true
  const told = mime.getType(extension)
  if (told === null) return type.startsWith('text/') && !TOLD_BY_NAME.has(type)
  return !TOLD_BY_NAME.has(type) && !TOLD_BY_NAME.has(told)
}
