import { describe, expect, it } from 'vitest'
import {
  escapeControls,
  printableText,
  replaceControls,
  replaceInLines,
  shortened,
} from '../src/printable-text.ts'

const HARMFUL = [
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u2028',
  '\u2029',
]

describe.each(HARMFUL)('%j', (harmful) => {
  it('is replaced in texts', () => {
    expect(replaceControls(`a${harmful}b`)).toBe('a\ufffdb')
    expect(replaceInLines(`a${harmful}b`)).toBe('a\ufffdb')
  })

  it('is escaped in JSON without changing the value, and shown as an escape in reports', () => {
    const json = escapeControls(JSON.stringify(harmful))
    expect(json).toMatch(/^"\\u[0-9a-f]{4}"$/)
    expect(JSON.parse(json)).toBe(harmful)
    expect(printableText(harmful)).toBe(json.slice(1, -1))
  })
})

it('letters of all writing directions, emoji and joiners are not replaced', () => {
  const text = 'שלום مرحبا 👩\u200d🔬 नमस\u094d\u200dते ﷺ'
  expect([
    replaceControls(text),
    replaceInLines(text),
    escapeControls(text),
    printableText(text),
  ]).toEqual(Array(4).fill(text))
})

it('line feeds and tabs in texts of several lines are not replaced', () => {
  expect(replaceInLines('a\n\tb\r\n')).toBe('a\n\tb\ufffd\n')
  expect(replaceControls('a\n\tb')).toBe('a\ufffd\ufffdb')
})

it('a shortened text ends in an ellipsis, and contains no half of a character', () => {
  expect(shortened('abc', 3)).toBe('abc')
  expect(shortened('abcd', 3)).toBe('abc…')
  expect(shortened('ab😀', 3)).toBe('ab\ufffd…')
})
