import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sniffType } from '../../src/fetch/sniff.ts'

const sniffed = (text: string) => sniffType(Buffer.from(text, 'latin1'))

describe('sniffType', () => {
  it.each([
    ['<!DOCTYPE html><p>', 'text/html'],
    ['<!doctype HTML PUBLIC "x">', 'text/html'],
    ['\t\n\f\r <html >', 'text/html'],
    ['<HeAd>', 'text/html'],
    ['<script src=x>', 'text/html'],
    ['<iframe >', 'text/html'],
    ['<h1>', 'text/html'],
    ['<div id=x>', 'text/html'],
    ['<font >', 'text/html'],
    ['<table>', 'text/html'],
    ['<a href=x>', 'text/html'],
    ['<style>', 'text/html'],
    ['<title>x', 'text/html'],
    ['<b>', 'text/html'],
    ['<body>', 'text/html'],
    ['<br>', 'text/html'],
    ['<p>', 'text/html'],
    ['<!-- x', 'text/html'],
    ['<!--> x', 'text/html'],
    ['<?xml version="1.0"?><html>', 'text/xml'],
    [' \n<?xml', 'text/xml'],
    ['%PDF-1.7\n\x80\0', 'application/pdf'],
    ['%!PS-Adobe-3.0', 'application/postscript'],
    ['\xfe\xff\0<', 'text/plain'],
    ['\xff\xfe<\0', 'text/plain'],
    ['\xef\xbb\xbf<html>', 'text/plain'],
    ['\0\0\x01\0\x01', 'image/x-icon'],
    ['\0\0\x02\0', 'image/x-icon'],
    ['BM6', 'image/bmp'],
    ['GIF87a', 'image/gif'],
    ['GIF89a\x01', 'image/gif'],
    ['RIFF\n\0\xffxWEBPVP8 ', 'image/webp'],
    ['\x89PNG\r\n\x1a\n\0', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['\x1f\x8b\x08\0', 'application/x-gzip'],
    ['PK\x03\x04\x14', 'application/zip'],
    ['Rar!\x1a\x07\0', 'application/x-rar-compressed'],
  ])('recognizes %j as %s', (text, type) => {
    expect(sniffed(text)).toBe(type)
  })

  it.each([
    '',
    'hello',
    '<html',
    '<html/>',
    '<html\n>',
    '<h2>',
    '<span>',
    '<!doctype svg>',
    '<!--\n',
    'x<html>',
    ' %PDF-1.7',
    '<? xml',
    '<?XML ?>',
    'GIF88a',
    'tab\tline\ncr\rff\fescape\x1b[1m',
    'caf\xe9',
    '\xef\xbb\xbf',
    '\xfe\xffx',
  ])('recognizes %j as plain text', (text) => {
    expect(sniffed(text)).toBe('text/plain')
  })

  it.each([
    '\0',
    'text\x08',
    'a\x0bb',
    '\x7fELF\x02',
    '\x1f\x8b\x07',
    'RIFF1234WAVE\0',
    '\xfe\xff\0',
  ])('recognizes %j as binary', (text) => {
    expect(sniffed(text)).toBe('application/octet-stream')
  })

  it('reads the first 1445 bytes only', () => {
    expect(sniffed(`${' '.repeat(1439)}<html>`)).toBe('text/html')
    expect(sniffed(`${' '.repeat(1440)}<html>`)).toBe('text/plain')
    expect(sniffed(`${'x'.repeat(1444)}\0`)).toBe('application/octet-stream')
    expect(sniffed(`${'x'.repeat(1445)}\0`)).toBe('text/plain')
  })

  it('reads a view of a larger buffer, and nothing outside of it', () => {
    expect(sniffType(Buffer.from('\0\0<p>\0').subarray(2, 5))).toBe('text/html')
  })

  it('returns a type for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => /^\w+\/[\w-]+$/.test(sniffType(Buffer.from(body)))),
    )
  })
})
