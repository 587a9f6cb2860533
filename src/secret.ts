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

const SECRET_HEADER = /auth|cookie|credential|key|pass|secret|session|token/i

/**
 * Returns whether a header's name suggests a secret value, such as `Authorization` or `X-Api-Key`.
 */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}
