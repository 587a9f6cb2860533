import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { imageKindOf } from '../../src/fetch/image-kind.ts'

const kindOf = (text: string) => imageKindOf(Buffer.from(text, 'latin1'))

describe('imageKindOf', () => {
  it.each([
    ...['\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a', '\xff\xd8\xff\xe0', 'RIFF\0\0\0\0WEBPVP8 '],
    ...['BM', '\0\0\x01\0', '\0\0\x02\0', 'II*\0', 'MM\0*', '\xff\x0a'],
    ...['\0\0\0 ftypavif', '\0\0\0\x18ftypmif1', '\0\0\0\x0cJXL ', '\0\0\0\x0cjP  '],
  ])('recognizes %j as the start of a pixel image', (start) => {
    expect(kindOf(`${start}\0\0\0\0`)).toBe('pixels')
  })

  it.each([
    ...['<svg>', '\ufeff<svg xmlns="x">', '<?xml version="1.0"?><!-- x -->', '\n<!-- made by -->'],
    ...['<!DOCTYPE svg PUBLIC "x">', '<svg:svg xmlns:svg="x">', '<!--<html>--><svg'],
  ])('recognizes %j as the start of an SVG', (text) => {
    expect(imageKindOf(Buffer.from(text))).toBe('svg')
  })

  it('recognizes an SVG in UTF-16', () => {
    expect(imageKindOf(Buffer.from('\ufeff<svg>', 'utf16le'))).toBe('svg')
    expect(imageKindOf(Buffer.from('\ufeff<svg>', 'utf16le').swap16())).toBe('svg')
  })

  it.each([
    ...['{"error": 1}', 'Not found', '<p>Sorry', '<!doctype html><svg>', '<html><svg>', '\0\0\0\0'],
    ...['%PDF-1.7', 'PNG', 'garbage \x89PNG', '', '\0\0\0\x18ftypisom', 'svg'],
  ])('recognizes no image in %j', (text) => {
    expect(kindOf(text)).toBe('other')
  })

  it('reads a limited part of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
        expect(imageKindOf(Buffer.from(bytes))).toBe(
          imageKindOf(Buffer.from(bytes.slice(0, 1_024))),
        )
      }),
    )
  })
})
