import { inspect } from 'node:util'

/** Shown in place of a secret. */
export const HIDDEN = '***'

/** A password, token or the like. It prints as `***`; only `reveal` returns the text. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the text, for sending it. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}

/** Logins in any text, except the one in our own examples. */
const LOGINS = /([a-z][a-z0-9+.-]*:\/\/)(?!user:password@)[^\s/?#]*@/gi

/** Replaces user and password of each URL in a text with `***`. */
export function hideLogins(text: string): string {
  return text.replace(LOGINS, `$1${HIDDEN}@`)
}

/** Headers of requests that say what a client wants or is, and prove nothing. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'dnt'],
  ...['if-modified-since', 'if-none-match', 'pragma', 'prefer', 'referer', 'user-agent'],
])

/** Returns whether the value of a header may be a secret: it may be in any but the well-known ones that hold none. */
export function isSecretHeader(name: string): boolean {
  return !PLAIN_HEADERS.has(name.toLowerCase())
}
