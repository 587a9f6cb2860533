import { describe, expect, it } from 'vitest'
import { WASM as CHECKED } from '../../../src/html/wasm-scanner/generated/checked.ts'
import { MAX_BODY, MAX_LINKS, MAX_URL } from '../../../src/html/wasm-scanner/layout/limits.ts'
import { instantiate } from '../../../src/html/wasm-scanner/module.ts'

describe('the page scanner with bounds checks', () => {
  it.each([
    ['a page that is longer than the body', () => instantiate(CHECKED).scan(MAX_BODY + 1, 0, 1)],
    ['more links than there is space for', () => instantiate(CHECKED).scan(0, 0, MAX_LINKS + 1)],
    ['the index of a missing link', () => instantiate(CHECKED).setLinkTarget(0, 0, 0)],
    ['a URL that has no number', () => instantiate(CHECKED).addLink(0, 7, 0)],
    ['a URL that is too long', () => instantiate(CHECKED).numberOf(MAX_URL + 1)],
    ['an empty URL', () => instantiate(CHECKED).numberOf(0)],
    ['a base that is too long', () => instantiate(CHECKED).resolveLinks(MAX_URL + 1, 0)],
    ['more names than there is space for', () => instantiate(CHECKED).useMetaNames(5)],
  ])('fails for %s', (_, run) => {
    expect(run).toThrow(WebAssembly.RuntimeError)
  })
})
