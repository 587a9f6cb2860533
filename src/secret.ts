import { inspect } from 'node:util'

/** How a secret is shown. */
export const HIDDEN = '***'

/** A password, token or the like. Whatever prints it prints `***`; only `reveal` gives the text. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the text, for what is sent. */
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

/** Logins in any text, other than those of our own examples. */
const LOGINS = /([a-z][a-z0-9+.-]*:\/\/)(?!user:password@)[^\s/?#]*@/gi

/** Returns a text with `***` in the place of user and password of each URL in it. */
export function hideLogins(text: string): string {
  return text.replace(LOGINS, `$1${HIDDEN}@`)
}

const SECRET_HEADER = /auth|cookie|credential|key|pass|secret|session|token/i

/** Whether the name of a header says that its value is a secret, such as `Authorization` and `X-Api-Key`. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name)
}
