import type { RawResponse } from '../fetch/raw-response.ts'
import type { ArchivedExchange } from '../records/visit-attachments.ts'
import { isSecretHeader } from '../secret.ts'
import {
  digestOf,
  encodeWarcRecord,
  newRecordId,
  serverField,
  type WarcFields,
} from './warc-record.ts'

/**
 * Returns a request and its response as archive records. The body keeps its content coding.
 * @param headers headers of the request, without those of the connection
 * @param server the IP address of the server; undefined if a proxy was used
 */
export function archiveExchange(
  url: string,
  headers: Readonly<Record<string, string>>,
  response: RawResponse,
  server?: string,
): ArchivedExchange {
  const id = newRecordId()
  const date = new Date(Date.now() - response.ms).toISOString()
  const head = headOf(response)
  const payloadDigest = digestOf(response.body)
  const about: WarcFields = [['WARC-Target-URI', url], ['WARC-Date', date], ...serverField(server)]
  const responseRecord = encodeWarcRecord(
    [
      ['WARC-Type', 'response'],
      ['WARC-Record-ID', id],
      ...about,
      ['WARC-Payload-Digest', payloadDigest],
      ...(response.head?.isHttp2 === true ? [['WARC-Protocol', 'h2'] as const] : []),
      ...(response.truncated ? [['WARC-Truncated', whyTruncated(response)] as const] : []),
      ['Content-Type', 'application/http; msgtype=response'],
    ],
    head,
    response.body,
  )
  const requestRecord = encodeWarcRecord(
    [
      ['WARC-Type', 'request'],
      ['WARC-Record-ID', newRecordId()],
      ...about,
      ['WARC-Concurrent-To', id],
      ['Content-Type', 'application/http; msgtype=request'],
    ],
    requestOf(url, headers),
  )
  const isWhole = !response.truncated && response.body.length > 0
  const mime = mimeOf(response)
  const facts = { id, url, date, server, status: response.status, mime, payloadDigest, isWhole }
  return { ...facts, head, response: responseRecord, request: requestRecord }
}

/** Returns an exchange with a further record: the page as its scripts left it (ISO 28500, 6.8: conversion). */
export function withRenderedTree(exchange: ArchivedExchange, html: Uint8Array): ArchivedExchange {
  const rendered = encodeWarcRecord(
    [
      ['WARC-Type', 'conversion'],
      ['WARC-Record-ID', newRecordId()],
      ['WARC-Target-URI', exchange.url],
      ['WARC-Date', new Date().toISOString()],
      ['WARC-Refers-To', exchange.id],
      ['Content-Type', 'text/html; charset=utf-8'],
    ],
    html,
  )
  return { ...exchange, rendered }
}

/** Returns the reason why a response is truncated, in the terms of ISO 28500 (5.15). */
function whyTruncated({ failure }: RawResponse): string {
  if (failure === undefined) return 'length'
  if (failure.code === 'timeout') return 'time'
  return failure.code === 'connection-reset' ? 'disconnect' : 'unspecified'
}

/** Returns the request as HTTP/1.1 sends it, without headers that contain secrets. */
function requestOf(url: string, headers: Readonly<Record<string, string>>): Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(headers)
    .filter(([name]) => !isSecretHeader(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
  const start = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`
  return Buffer.from(`${start}${lines.join('')}\r\n`, 'latin1')
}

/**
 * Returns the header of the response as received, except that Transfer-Encoding is renamed, since the
 * body no longer has that coding. The status line always names HTTP/1.1: the fetcher accepts 1.0, too,
 * but doesn't keep the version. A header of HTTP/2 is written in the form of HTTP/1.1, which means the
 * same (RFC 9113, 8.3), since archives have no other form for it.
 */
function headOf({ status, head }: RawResponse): Buffer {
  const rawHeaders = head?.fields ?? []
  const lines: string[] = [`HTTP/1.1 ${status} ${head?.reason ?? ''}\r\n`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const isTransfer = name.toLowerCase() === 'transfer-encoding'
    const value = rawHeaders[index + 1]
    lines.push(`${isTransfer ? `X-Orig-${name}` : name}: ${value}\r\n`)
  }
  return Buffer.from(`${lines.join('')}\r\n`, 'latin1')
}

function mimeOf({ headers }: RawResponse): string {
  const [type = ''] = [headers['content-type'] ?? ''].flat()
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
