import { expect, it } from 'vitest'
import { imageDefectOf } from '../../../src/inspect/check/image-defect.ts'
import type { ImageKind } from '../../../src/records/visit-attachments.ts'

type Case = readonly [type: string | undefined, kind: ImageKind | undefined]

const image = ([contentType, kind]: Case) =>
  imageDefectOf({ status: 200, bytes: 9, contentType }, kind)

it.each<Case>([
  // Browsers use the bytes, not the type.
  ...['image/png', 'image/jpeg', 'text/plain', 'application/octet-stream', undefined].map(
    (type): Case => [type, 'pixels'],
  ),
  ['image/svg+xml', 'svg'],
  // The first bytes of these formats are not checked.
  ['image/x-portable-pixmap', 'other'],
  // After HEAD, only the type is known.
  ...['image/png', 'text/plain', 'application/octet-stream', undefined].map(
    (type): Case => [type, undefined],
  ),
])('an image sent as %s that begins as %s is accepted', (...known) => {
  expect(image(known)).toBeUndefined()
})

it.each<readonly [...Case, message: string]>([
  ['text/html', 'pixels', 'the response is an HTML page'],
  ['application/json', 'other', 'the response is application/json'],
  ['application/json', undefined, 'the response is application/json'],
  ['application/ld+json', undefined, 'the response is application/ld+json'],
  ['text/css', undefined, 'the response is text/css'],
  ['text/plain', 'other', 'the response is text/plain'],
  ['text/plain', 'svg', 'the response is text/plain'],
  ['application/xml', 'svg', 'the response is application/xml'],
  ['image/png', 'svg', 'the response is image/png, but does not begin like an image'],
  ['image/png', 'other', 'the response is image/png, but does not begin like an image'],
  ['image/svg+xml', 'other', 'the response is image/svg+xml, but does not begin like an image'],
  ['image/avif', 'other', 'the response is image/avif, but does not begin like an image'],
  ['application/octet-stream', 'other', 'the response does not begin like an image'],
  [undefined, 'other', 'the response does not begin like an image'],
])('an image sent as %s that begins as %s is rejected: %s', (type, start, message) => {
  expect(image([type, start])).toEqual({ code: 'not-an-image', message })
})

it('an image is called empty only if its body is complete', () => {
  const empty = { status: 200, bytes: 0, contentType: 'image/png' }
  expect(imageDefectOf(empty)).toEqual({
    code: 'empty-image',
    message: 'the response has 0 bytes',
  })
  expect(imageDefectOf({ ...empty, truncated: true })).toBeUndefined()
  expect(imageDefectOf({ ...empty, status: 404 })).toBeUndefined()
})
