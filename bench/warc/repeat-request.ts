import { hash } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Repeats a request. Returns the body as sent, except that chunked Transfer-Encoding is removed. Only for http. */
export function repeatRequest(url: string, headers: IncomingHttpHeaders): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...headers, connection: 'close' } }, (response) => {
      buffer(response).then(resolve, reject)
    })
    sent.on('error', reject).end()
  })
}

/** Returns the SHA-1 in base32, computed in another way than in the crawler. */
export function digestOf(bytes: Buffer): string {
  const digits = BigInt(`0x${hash('sha1', bytes)}`)
    .toString(32)
    .padStart(32, '0')
  const letters = digits.replace(/./g, (digit) => {
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(digit, 32)] ?? ''
  })
  return `sha1:${letters}`
}
