import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isPageIndependent,
  isPageIndependentFailure,
} from '../../../src/html/wasm-scanner/page-independent.ts'
import { LinkResolver } from '../../../src/url/resolve.ts'
import { randomCases } from '../../support/soak.ts'
import { arbitraryHref } from '../../url/arbitrary-href.ts'

const PAGES = ['http://h:8080/a/b/', 'http://h:8080/a/b/c', 'http://h:8080/a/b/d.html?e=/f/../g']
const resolvers = PAGES.map((page) => new LinkResolver(page))
const plainer = fc
  .array(
    fc.constantFrom('a', '.', '/', '../', './', 'b.c', '?', '#', '%2e', ':', '@', 'http://h/', 'é'),
  )
  .map((pieces) => pieces.join(''))
const href = fc.oneof(arbitraryHref, plainer)

const CASES = randomCases(20_000)

describe('a page-independent href', () => {
  it('resolves to the same URL on all pages of a directory, with any fragment', () => {
    let lasting = 0
    const assert = (text: string) => {
      const url = resolvers[0]?.resolve(text)
      if (url === undefined || !isPageIndependent(text)) return
      lasting++
      for (const resolver of resolvers) {
        expect(resolver.resolve(text)).toBe(url)
        expect(resolver.resolve(`${text.replace(/#.*/s, '')}#other`)).toBe(url)
      }
    }
    fc.assert(fc.property(href, assert), { numRuns: CASES })
    expect(lasting).toBeGreaterThan(CASES / 10)
  })

  it.each(['a', '../a', './', '/a?b', '//b.test/c', '%41', 'https://b.test:1/x?y:z', 'a?b:c', 'é'])(
    'may be %j',
    (text) => {
      expect(isPageIndependent(text)).toBe(true)
    },
  )

  it.each(['', '?a', '#a', ' a', 'a ', 'a b', 'a\tb', 'http:a', 'http:', 'a:b', '\u007f'])(
    'is never %j',
    (text) => {
      expect(isPageIndependent(text)).toBe(false)
    },
  )
})

describe('an href that is no URL', () => {
  it('is page-independent if it is invalid on every page', () => {
    const bases = [...PAGES, 'https://b.test/', 'http://h/']
    let failures = 0
    const assert = (text: string) => {
      if (!isPageIndependentFailure(text)) return
      failures++
      for (const base of bases) expect(new LinkResolver(base).resolve(text)).toBeUndefined()
      for (const base of bases) expect(new LinkResolver(base).failureReason(text)).toBe('scheme')
    }
    fc.assert(fc.property(href, assert), { numRuns: CASES / 2 })
    expect(failures).toBeGreaterThan(CASES / 200)
    expect(isPageIndependentFailure('mailto:x')).toBe(true)
  })

  it.each(['mailto:x#y', 'http://[', 'a b', '//'])(
    'is not page-independent if it is %j',
    (text) => {
      expect(isPageIndependentFailure(text)).toBe(false)
    },
  )
})
