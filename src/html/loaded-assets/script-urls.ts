import { type ImportSpecifier, parse } from 'es-module-lexer/minimal'
import { isJavaScript } from '../../fetch/content-type.ts'

/** A URL in a script. */
interface ScriptUrl {
  /** With escapes decoded. */
  readonly url: string
  /** Start and end of its string in the script, without the quotes. */
  readonly start: number
  readonly end: number
}

/** The type of `import.meta` among the imports that the lexer finds. */
const IMPORT_META = 3
/** Matches scripts that may load something. Most scripts don't. */
const MAY_LOAD = /\b(?:im|ex)port\b/
const MODULE_URL = /^(?:\.{0,2}\/|https?:)/i
const NEW_URL = /\bnew\s+URL\s*\(\s*$/
const MAX_NEW_URL = 40
/** Matches the name of a file. Other paths, as in `new URL('.', import.meta.url)`, are only the start of URLs. */
const FILE_NAME = /^[^?#]*[^/?#]\.\w+(?:[?#]|$)/
/** Maximum length of a URL before `import.meta.url`. */
const MAX_URL = 2_000

/**
 * Returns the URLs that a script names in its code: `import` and `export * from`, `import('./a.js')`, and
 * `new URL('a.png', import.meta.url)`, by which bundlers name images, workers and WebAssembly. URLs that the script
 * computes are left out. Returns none for a script with an error.
 */
export function scriptUrls(script: string): ScriptUrl[] {
  if (!MAY_LOAD.test(script)) return []
  return importsOf(script).flatMap((found) => {
    const place = found.t === IMPORT_META ? urlBeforeMeta(script, found) : moduleUrl(script, found)
    return place === undefined ? [] : [place]
  })
}

/**
 * Returns whether the name of a module is a URL (HTML standard, "resolve a module specifier"). Others, as in
 * `import 'react'`, mean what the import map of the page says.
 */
export function isModuleUrl(name: string): boolean {
  return MODULE_URL.test(name)
}

/**
 * Returns what a `<script>` without `src` contains; undefined for data.
 * @param type the value of its attribute, if it has one
 */
export function scriptContent(type = ''): 'script' | 'import map' | undefined {
  const name = type.trim().toLowerCase()
  if (name === 'importmap') return 'import map'
  return name === '' || name === 'module' || isJavaScript(name) ? 'script' : undefined
}

function importsOf(script: string): readonly ImportSpecifier[] {
  try {
    return parse(script)[0]
  } catch {
    return []
  }
}

function moduleUrl(script: string, { n, s, e }: ImportSpecifier): ScriptUrl | undefined {
  if (n === undefined || !isModuleUrl(n)) return undefined
  // The range of `import('./a.js')` includes the quotes.
  const isQuoted = isQuote(script.charAt(s))
  return { url: n, start: isQuoted ? s + 1 : s, end: isQuoted ? e - 1 : e }
}

/** Returns the URL in `new URL('a.png', import.meta.url)`, given the place of its `import.meta`. */
function urlBeforeMeta(script: string, { ss, se }: ImportSpecifier): ScriptUrl | undefined {
  if (!script.startsWith('.url', se)) return undefined
  const before = script.slice(Math.max(0, ss - MAX_URL), ss).trimEnd()
  if (!before.endsWith(',')) return undefined
  const quoted = before.slice(0, -1).trimEnd()
  const quote = quoted.slice(-1)
  const open = quoted.lastIndexOf(quote, quoted.length - 2)
  if (!isQuote(quote) || open === -1) return undefined
  const url = quoted.slice(open + 1, -1)
  const start = Math.max(0, ss - MAX_URL) + open + 1
  const isCall = NEW_URL.test(quoted.slice(Math.max(0, open - MAX_NEW_URL), open))
  const isComputed = /[\\\n]|\$\{/.test(url)
  if (!isCall || isComputed || !FILE_NAME.test(url)) return undefined
  return { url, start, end: start + url.length }
}

function isQuote(character: string): boolean {
  return character === '"' || character === "'" || character === '`'
}
