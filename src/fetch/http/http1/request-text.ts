import { CONNECTION_HEADERS, TOKEN } from '../../header-names.ts'
import type { TransportRequest } from '../connection-pool.ts'

/** The value of a header (RFC 9110, 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** A request target, or the host of an origin. */
const VISIBLE = /^[\x21-\x7e]+$/

/** The text of headers, remembered because most requests have the same headers. */
const fieldLines = new WeakMap<TransportRequest['headers'], string>()

/**
 * Returns a request in the format of HTTP/1.1 (RFC 9112, 3), one character per byte.
 * @throws Error if a part of it would end its line, or change the end of the request
 */
export function requestText({ method, origin, path, headers, body, isFresh }: TransportRequest) {
  const host = origin.slice(origin.indexOf('//') + 2)
  if (!TOKEN.test(method)) throw new Error('invalid request method')
  if (!VISIBLE.test(host)) throw new Error('invalid request origin')
  if (!VISIBLE.test(path)) throw new Error('invalid request path')
  const hostLine = Object.hasOwn(headers, 'host') ? '' : `host: ${host}\r\n`
  const connection = isFresh || method === 'HEAD' ? 'close' : 'keep-alive'
  const start = `${method} ${path} HTTP/1.1\r\n${hostLine}connection: ${connection}\r\n`
  if (body === null) return `${start}${linesOf(headers)}\r\n`
  const bytes = Buffer.from(body)
  const length = `content-length: ${bytes.length}\r\n`
  return `${start}${linesOf(headers)}${length}\r\n${bytes.toString('latin1')}`
}

function linesOf(headers: TransportRequest['headers']): string {
  const known = fieldLines.get(headers)
  if (known !== undefined) return known
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    if (
      !TOKEN.test(name) ||
      CONNECTION_HEADERS.includes(name.toLowerCase()) ||
      !FIELD_VALUE.test(value)
    ) {
      throw new Error(`invalid header ${name}`)
    }
    lines += `${name}: ${value}\r\n`
  }
  fieldLines.set(headers, lines)
  return lines
}
