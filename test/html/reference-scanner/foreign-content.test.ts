import { describe, expect, it } from 'vitest'
import { gives, page } from './scanned.ts'

describe('scan distinguishes SVG and MathML', () => {
  gives([
    [
      'where style and script contain markup',
      '<svg><style><a href=1></style></svg><a href=2>',
      '1',
      '2',
    ],
    ['where CDATA exists', '<svg><![CDATA[<a href=no>]]></svg><a href=1>', '1'],
    ['where a tag may be self-closing', '<svg/><style><a href=no></style>'],
    [
      'whose links may use xlink:href',
      '<svg><a xlink:href=1></a><a xlink:href=no href=2></svg>',
      '1',
      '2',
    ],
    [
      'and back in HTML inside foreignObject',
      '<svg><foreignObject><style><a href=no></style></foreignObject></svg>',
    ],
    ['which an HTML element ends', '<svg><p><style><a href=no></style>'],
    ['which the end of its HTML parent ends', '<div><svg></div><style><a href=no></style>'],
  ])

  it('whose title is not the title of the page', () => {
    expect(page('<svg><title>no</title></svg><title>yes</title>').title).toBe('yes')
  })
})
