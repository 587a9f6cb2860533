import { hash, randomBytes } from 'node:crypto'
import type { Credentials } from './basic-credentials.ts'
import { type Challenge, parseChallenges } from './challenges.ts'

/** The names of `node:crypto` for the hash functions of RFC 7616, 3.2. The order is that of their strength. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['sha-512-256', 'sha512-256'],
  ['sha-256', 'sha256'],
  ['md5', 'md5'],
])

/** A challenge of HTTP Digest authentication (RFC 7616). It answers any number of requests, and counts them. */
export class DigestChallenge {
  readonly realm: string
  readonly nonce: string
  /** True if the last answer was right, but its challenge too old. */
  readonly isStale: boolean
  readonly #algorithm: string | undefined
  readonly #opaque: string | undefined
  readonly #hashName: string
  /** True if the password is hashed with the nonces (RFC 7616, 3.4.2). */
  readonly #isSession: boolean
  /** False for servers of RFC 2069, which know no `qop`. */
  readonly #hasQop: boolean
  /** The nonce of the client. It stays the same, since a server may compute the key of a session only once. */
  readonly #clientNonce = randomBytes(16).toString('hex')
  #count = 0

  private constructor({ parameters }: Challenge, hashName: string) {
    this.realm = parameters.get('realm') ?? ''
    this.nonce = parameters.get('nonce') ?? ''
    this.isStale = parameters.get('stale')?.toLowerCase() === 'true'
    this.#algorithm = parameters.get('algorithm')
    this.#opaque = parameters.get('opaque')
    this.#hashName = hashName
    this.#isSession = this.#algorithm !== undefined && SESSION.test(this.#algorithm)
    this.#hasQop = parameters.has('qop')
  }

  /** Returns the strongest of the challenges in WWW-Authenticate that can be answered; undefined if there is none. */
  static strongestIn(header: string | readonly string[] | undefined): DigestChallenge | undefined {
    const found = parseChallenges(header).filter(isAnswerable)
    for (const [algorithm, hashName] of HASHES) {
      const challenge = found.find((each) => algorithmOf(each) === algorithm)
      if (challenge !== undefined) return new DigestChallenge(challenge, hashName)
    }
    return undefined
  }

  /**
   * Returns the value of Authorization for a request (RFC 7616, 3.4).
   * @param uri the path and the query
   */
  answer(method: string, uri: string, { user, password }: Credentials): string {
    const count = (++this.#count).toString(16).padStart(8, '0')
    const quoted = {
      username: user,
      realm: this.realm,
      nonce: this.nonce,
      uri,
      response: this.#response(`${method}:${uri}`, count, { user, password }),
      opaque: this.#opaque,
      cnonce: this.#hasQop || this.#isSession ? this.#clientNonce : undefined,
    }
    const plain = {
      algorithm: this.#algorithm,
      qop: this.#hasQop ? 'auth' : undefined,
      nc: this.#hasQop ? count : undefined,
    }
    return `Digest ${[...pairs(quoted, inQuotes), ...pairs(plain, String)].join(', ')}`
  }

  /** Returns the hash that proves the password for a request (RFC 7616, 3.4.1). */
  #response(request: string, count: string, { user, password }: Credentials): string {
    const secret = this.#hash(`${user}:${this.realm}:${password}`)
    const key = this.#isSession
      ? this.#hash(`${secret}:${this.nonce}:${this.#clientNonce}`)
      : secret
    const nonces = this.#hasQop ? `${this.nonce}:${count}:${this.#clientNonce}:auth` : this.nonce
    return this.#hash(`${key}:${nonces}:${this.#hash(request)}`)
  }

  /** Returns the hash of a text whose characters are bytes, in hexadecimal. */
  #hash(text: string): string {
    return hash(this.#hashName, Buffer.from(text, 'latin1'))
  }
}

const SESSION = /-sess$/i

function algorithmOf({ parameters }: Challenge): string {
  return (parameters.get('algorithm') ?? 'MD5').toLowerCase().replace(SESSION, '')
}

/** Returns whether a challenge is complete, and wants no hash of the body (`auth-int`). */
function isAnswerable({ scheme, parameters }: Challenge): boolean {
  if (scheme !== 'digest' || !parameters.has('realm') || !parameters.has('nonce')) return false
  const protections = parameters
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/)
  return protections === undefined || protections.includes('auth')
}

function pairs(
  values: Readonly<Record<string, string | undefined>>,
  write: (value: string) => string,
): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${write(value)}`],
  )
}

function inQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
