import type { RawResponse } from '../fetch/raw-response.ts'
import type { ArchivedExchange } from '../records/delivery.ts'
import { isSecretHeader } from '../secret.ts'
import { digestOf, encodeWarcRecord, newRecordId, type WarcFields } from './warc-record.ts'

/**
 * A request and its answer as records of an archive, before anything is done to the body.
 * @param headers of the request, beside those of the connection
 */
export function archiveExchange(
  url: string,
  headers: Readonly<Record<string, string>>,
  answer: RawResponse,
): ArchivedExchange {
  const id = newRecordId()
  const date = new Date().toISOString()
  const head = headOf(answer)
  const payloadDigest = digestOf(answer.body)
  const about: WarcFields = [
    ['WARC-Target-URI', url],
    ['WARC-Date', date],
  ]
  const response = encodeWarcRecord(
    [
      ['WARC-Type', 'response'],
      ['WARC-Record-ID', id],
      ...about,
      ['WARC-Payload-Digest', payloadDigest],
      ...(answer.truncated ? [['WARC-Truncated', whyTruncated(answer)] as const] : []),
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    head,
    answer.body,
  )
  const request = encodeWarcRecord(
    [
      ['WARC-Type', 'request'],
      ['WARC-Record-ID', newRecordId()],
      ...about,
      ['WARC-Concurrent-To', id],
      ['Content-Type', 'application/http; msgtype=request'],
    ],
    requestOf(url, headers),
  )
  const isWhole = !answer.truncated && answer.body.length > 0
  const mime = mimeOf(answer)
  const told = { id, url, date, status: answer.status, mime, payloadDigest, isWhole }
  return { ...told, head, response, request }
}

/** The reasons that ISO 28500 knows (5.13). */
function whyTruncated({ failure }: RawResponse): string {
  if (failure === undefined) return 'length'
  if (failure.code === 'timeout') return 'time'
  return failure.code === 'connection-reset' ? 'disconnect' : 'unspecified'
}

/** As undici writes it. */
function requestOf(url: string, headers: Readonly<Record<string, string>>): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(headers)
    .filter(([name]) => !isSecretHeader(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  return Buffer.from(`${start}${lines.join('')}\r\n`, 'latin1')
}

/**
 * The header as it was received, but for the name of Transfer-Encoding: the body is without it.
 * What undici tells of the version is nothing; it takes HTTP/1.0 and 1.1.
 */
function headOf({ status, head }: RawResponse): Buffer {
  const rawHeaders = head?.fields ?? []
  const lines: string[] = [`HTTP/1.1 ${status} ${head?.reason ?? ''}\r\n`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = latin1(rawHeaders[index])
    const isTransfer = name.toLowerCase() === 'transfer-encoding'
    const value = latin1(rawHeaders[index + 1])
    lines.push(`${isTransfer ? `X-Orig-${name}` : name}: ${value}\r\n`)
  }
  return Buffer.from(`${lines.join('')}\r\n`, 'latin1')
}

/** HTTP/1 gives bytes. */
function latin1(field: unknown): string {
  return Buffer.isBuffer(field) ? field.toString('latin1') : String(field)
}

function mimeOf({ headers }: RawResponse): string {
  const [type = ''] = [headers['content-type'] ?? ''].flat()
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
