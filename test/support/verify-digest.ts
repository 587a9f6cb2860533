import { createHash } from 'node:crypto'

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
}

/** Returns the values of an Authorization header of HTTP Digest authentication. */
export function digestValues(authorization: string | undefined): Record<string, string> {
  const values = authorization?.match(/[\w*-]+=(?:"(?:[^"\\]|\\.)*"|[^\s,"]+)/g) ?? []
  return Object.fromEntries(
    values.map((text) => {
      const [name = '', value = ''] = text.split(/=(.*)/s)
      return [name, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value]
    }),
  )
}

/** Returns whether an Authorization header has the response that RFC 7616, 3.4.1, asks for. */
export function isDigestValid(
  authorization: string | undefined,
  { method, password }: { method: string; password: string },
): boolean {
  const { algorithm = 'MD5', ...values } = digestValues(authorization)
  const { username, realm, nonce, cnonce, nc, qop, uri, response } = values
  const name = HASHES[algorithm.replace('-sess', '')] ?? ''
  const hash = (...parts: unknown[]) =>
    createHash(name).update(parts.join(':'), 'latin1').digest('hex')
  const secret = hash(username, realm, password)
  const key = algorithm.endsWith('-sess') ? hash(secret, nonce, cnonce) : secret
  const request = hash(method, uri)
  const expected =
    qop === undefined ? [key, nonce, request] : [key, nonce, nc, cnonce, qop, request]
  return response === hash(...expected)
}
