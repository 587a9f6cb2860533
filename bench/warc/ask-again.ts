import { hash } from 'node:crypto'
import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** The body that a server sends, as it sends it, but for the chunks of Transfer-Encoding. Only http. */
export function askAgain(url: string, headers: IncomingHttpHeaders): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { ...headers, connection: 'close' } }, (response) => {
      buffer(response).then(resolve, reject)
    })
    sent.on('error', reject).end()
  })
}

/** SHA-1 in base32, by arithmetic other than the crawler's. */
export function digestOf(bytes: Buffer): string {
  const digits = BigInt(`0x${hash('sha1', bytes)}`)
    .toString(32)
    .padStart(32, '0')
  const letters = digits.replace(/./g, (digit) => {
    return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(digit, 32)] ?? ''
  })
  return `sha1:${letters}`
}
