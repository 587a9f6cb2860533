import { describe, expect, it } from 'vitest'
import { WASM as CHECKED } from '../../../src/html/wasm-scanner/generated/checked.ts'
import { MAX_BODY, MAX_LINKS, MAX_URL } from '../../../src/html/wasm-scanner/layout/limits.ts'
import { instantiate } from '../../../src/html/wasm-scanner/module.ts'

const checked = () => instantiate(CHECKED, { countText: () => 0 })

describe('the page scanner with bounds checks', () => {
  it.each([
    ['a page that is longer than the body', () => checked().scan(MAX_BODY + 1, 0, 1)],
    ['more links than there is space for', () => checked().scan(0, 0, MAX_LINKS + 1)],
    ['the index of a missing link', () => checked().setLinkTarget(0, 0, 0)],
    ['a URL that has no number', () => checked().addLink(0, 7, 0)],
    ['a URL that is too long', () => checked().numberOf(MAX_URL + 1)],
    ['an empty URL', () => checked().numberOf(0)],
    ['a base that is too long', () => checked().resolveLinks(MAX_URL + 1, 0)],
    ['the URL of a page that is too long', () => checked().hasNewContent(MAX_URL + 1)],
    ['more names than there is space for', () => checked().useMetaNames(5)],
  ])('fails for %s', (_, run) => {
    expect(run).toThrow(WebAssembly.RuntimeError)
  })
})
