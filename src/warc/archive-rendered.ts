import type { ArchivedExchange } from '../records/visit-attachments.ts'
import { encodeWarcRecord, newRecordId } from './warc-record.ts'

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
