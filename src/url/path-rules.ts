const SLASH = 0x2f

/** Drops slashes at the end of a path; `/` stays. */
export function stripTrailingSlash(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--
  return end === path.length ? path : path.slice(0, end)
}

/** Common names of directory indexes in lower case. IIS ignores the case. */
const INDEX_NAMES: ReadonlySet<string> = new Set([
  'index.html',
  'index.htm',
  'index.php',
  'default.asp',
  'default.aspx',
])
const MIN_INDEX_LENGTH = 'index.php'.length
const MAX_INDEX_LENGTH = 'default.aspx'.length

/** Drops the last segment of a path if it is the name of a directory index. */
export function stripIndex(path: string): string {
  const start = path.lastIndexOf('/') + 1
  const length = path.length - start
  if (length < MIN_INDEX_LENGTH || length > MAX_INDEX_LENGTH) return path
  return INDEX_NAMES.has(path.slice(start).toLowerCase()) ? path.slice(0, start) : path
}

/**
 * Matches a session id in a path. Servlet containers add it for clients without cookies (Servlet specification, 7.1.3).
 */
const PATH_SESSION = /(?<!\/\.{1,2});jsessionid=[^/;]*/gi

/** Drops `;jsessionid=...` from a path, unless a dot segment would remain. */
export function stripPathSession(path: string): string {
  return path.includes(';') ? path.replace(PATH_SESSION, '') : path
}

/** Lowercases the ASCII letters of a path, except those of escapes. */
export function lowercasePath(path: string): string {
  if (!/[A-Z]/.test(path)) return path
  return path.replace(/%[0-9A-F]{2}|[A-Z]+/g, (part) =>
    part.startsWith('%') ? part : part.toLowerCase(),
  )
}
