import { type CSSToken, tokenizer } from '@csstools/css-tokenizer'

/** A URL in a style sheet. */
interface CssUrl {
  readonly url: string
  /** Start and end of its token in the style sheet: a whole `url(...)`, or a string with its quotes. */
  readonly start: number
  readonly end: number
  /** True if the token is a string, not an unquoted `url(...)`. */
  readonly isString: boolean
  /** False for the URL of a style sheet or a font. */
  readonly isImage: boolean
}

/** Functions in which a string is a URL. */
const FUNCTIONS = /^(?:url|src|image-set|-webkit-image-set)$/i

/** At-rules whose URLs aren't images. */
const NO_IMAGES: ReadonlySet<string> = new Set(['import', 'font-face'])

/**
 * Yields the URLs of a style sheet: `url(...)`, `@import "..."` and `image-set("...")`. Leaves out `@namespace`, whose
 * URL is only a name. Never throws.
 */
export function* cssUrls(css: string): Generator<CssUrl> {
  const tokens = tokenizer({ css }, { onParseError() {} })
  /** For each open parenthesis, true if strings in it are URLs. */
  const open: boolean[] = []
  let rule = ''
  let isImport = false
  while (!tokens.endOfFile()) {
    const token = withoutStackTraces(() => tokens.nextToken())
    const [type, , start, last] = token
    const end = last + 1
    const isImage = !NO_IMAGES.has(rule)
    const isString = type === 'string-token'
    if (type === 'url-token' || (isString && (isImport || open.at(-1)))) {
      if (rule !== 'namespace') yield { url: tokenValue(token), start, end, isString, isImage }
    } else if (type === 'function-token') open.push(FUNCTIONS.test(tokenValue(token)))
    else if (type === '(-token') open.push(false)
    else if (type === ')-token') open.pop()
    rule = ruleAfter(token, rule)
    if (type === 'whitespace-token' || type === 'comment') continue
    isImport = type === 'at-keyword-token' && /^import$/i.test(tokenValue(token))
  }
}

/** Returns the at-rule to which URLs after a token belong; an empty string if they belong to none. */
function ruleAfter(token: CSSToken, rule: string): string {
  const [type] = token
  if (type === 'at-keyword-token') return tokenValue(token).toLowerCase()
  const isEnd = type === '}-token' || (type === '{-token' && rule !== 'font-face')
  return isEnd || (type === 'semicolon-token' && rule !== 'font-face') ? '' : rule
}

/** Runs `work` without stack traces. The tokenizer creates an `Error` for each error, ten times slower with a trace. */
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
