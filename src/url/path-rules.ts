const SLASH = 0x2f

/** The path without slashes at its end; `/` stays. */
export function stripTrailingSlash(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--
  return end === path.length ? path : path.slice(0, end)
}

/** What servers commonly send for a directory; IIS writes it in any case. */
const INDEXES: ReadonlySet<string> = new Set([
  'index.html',
  'index.htm',
  'index.php',
  'default.asp',
  'default.aspx',
])
const SHORTEST = 'index.php'.length
const LONGEST = 'default.aspx'.length

/** The path up to its last slash when only the name of a directory index follows. */
export function stripIndex(path: string): string {
  const start = path.lastIndexOf('/') + 1
  const length = path.length - start
  if (length < SHORTEST || length > LONGEST) return path
  return INDEXES.has(path.slice(start).toLowerCase()) ? path.slice(0, start) : path
}

/** Servlet containers put it there for clients without cookies (Servlet specification, 7.1.3). */
const PATH_SESSION = /(?<!\/\.{1,2});jsessionid=[^/;]*/gi

/** The path without `;jsessionid=`, but where what stays would be a dot segment. */
export function stripPathSession(path: string): string {
  return path.includes(';') ? path.replace(PATH_SESSION, '') : path
}

/** The path with its ASCII letters in lower case, those of escapes left as they are. */
export function lowercasePath(path: string): string {
  if (!/[A-Z]/.test(path)) return path
  return path.replace(/%[0-9A-F]{2}|[A-Z]+/g, (part) =>
    part.startsWith('%') ? part : part.toLowerCase(),
  )
}
