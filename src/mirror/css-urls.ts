import { type CSSToken, tokenizer } from '@csstools/css-tokenizer'
import type { LinkRewriter, TextEdit } from './text-edits.ts'

/** A URL in a style sheet. */
interface CssUrl {
  readonly url: string
  /** Range of its token: a whole `url(...)`, or a string with its quotes. */
  readonly start: number
  readonly end: number
  /** It is a string, not an unquoted `url(...)`. */
  readonly isString: boolean
}

/** Functions in which a string is a URL. */
const FUNCTIONS = /^(?:url|src|image-set|-webkit-image-set)$/i

/**
 * Yields the URLs of a style sheet: `url(...)`, `@import "..."` and `image-set("...")`. Never
 * throws.
 */
export function* cssUrls(css: string): Generator<CssUrl> {
  const tokens = tokenizer({ css }, { onParseError() {} })
  /** For each open parenthesis: strings in it are URLs. */
  const open: boolean[] = []
  let isImport = false
  while (!tokens.endOfFile()) {
    const token = withoutStackTraces(() => tokens.nextToken())
    const [type, , start, last] = token
    const end = last + 1
    if (type === 'url-token') yield { url: tokenValue(token), start, end, isString: false }
    else if (type === 'string-token' && (isImport || open.at(-1))) {
      yield { url: tokenValue(token), start, end, isString: true }
    } else if (type === 'function-token') open.push(FUNCTIONS.test(tokenValue(token)))
    else if (type === '(-token') open.push(false)
    else if (type === ')-token') open.pop()
    if (type === 'whitespace-token' || type === 'comment') continue
    isImport = type === 'at-keyword-token' && /^import$/i.test(tokenValue(token))
  }
}

/** @param css from a file or a page */
export function cssLinkEdits(css: string, relink: LinkRewriter): TextEdit[] {
  const edits: TextEdit[] = []
  for (const { url, start, end, isString } of cssUrls(css)) {
    const text = relink(url)
    if (text === undefined) continue
    const quoted = `"${text.replace(/["\\\n\r\f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`
    edits.push({ start, end, text: isString ? quoted : `url(${quoted})` })
  }
  return edits
}

/** The tokenizer makes an `Error` of each error, which takes ten times as long with a stack trace. */
function withoutStackTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** Returns the value of a token, with escapes decoded. */
function tokenValue(token: CSSToken): string {
  const [, , , , details] = token
  return details !== undefined && 'value' in details ? String(details.value) : ''
}
