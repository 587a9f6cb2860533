import { inspect } from 'node:util'

/** The text that is shown instead of a secret. */
export const HIDDEN = '***'

/** A secret text, such as a password or token. It prints as `***`; only `reveal` returns the text. */
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

/** The user and password of URLs in a text, except those in our own examples. */
const LOGINS = /([a-z][a-z0-9+.-]*:\/\/)(?!user:password@)[^\s/?#]*@/gi

/** Replaces user and password of each URL in a text with `***`. */
export function hideLogins(text: string): string {
  return text.replace(LOGINS, `$1${HIDDEN}@`)
}

/** Request headers that describe the client or its preferences, and contain no credentials. */
const PLAIN_HEADERS: ReadonlySet<string> = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'dnt'],
  ...['if-modified-since', 'if-none-match', 'pragma', 'prefer', 'referer', 'user-agent'],
])

/** Returns whether the value of a header may be a secret: true for all but the well-known headers without secrets. */
export function isSecretHeader(name: string): boolean {
  return !PLAIN_HEADERS.has(name.toLowerCase())
}
