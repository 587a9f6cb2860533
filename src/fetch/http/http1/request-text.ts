import type { TransportRequest } from '../exchange.ts'

/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/
/** RFC 9110, 5.5. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const REQUEST_TARGET = /^[\x21-\x7e]+$/

/** The lines of headers: most requests have the same. */
const fieldLines = new WeakMap<TransportRequest['headers'], string>()

/**
 * Returns a request as HTTP/1.1 has it (RFC 9112, 3); each character stands for a byte.
 * @throws Error if anything in it would end its line
 */
export function requestText({ method, origin, path, headers, body, isFresh }: TransportRequest) {
  if (!REQUEST_TARGET.test(path)) throw new Error('invalid request path')
  const host = 'host' in headers ? '' : `host: ${origin.slice(origin.indexOf('//') + 2)}\r\n`
  const length = body === null ? '' : `content-length: ${Buffer.byteLength(body, 'latin1')}\r\n`
  const start = `${method} ${path} HTTP/1.1\r\n${host}connection: ${isFresh ? 'close' : 'keep-alive'}\r\n`
  return `${start}${linesOf(headers)}${length}\r\n${body ?? ''}`
}

function linesOf(headers: TransportRequest['headers']): string {
  const known = fieldLines.get(headers)
  if (known !== undefined) return known
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || !FIELD_VALUE.test(value)) throw new Error(`invalid header ${name}`)
    lines += `${name}: ${value}\r\n`
  }
  fieldLines.set(headers, lines)
  return lines
}
