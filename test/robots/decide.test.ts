import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/robots/decide.ts'
import { parseRobotsText } from '../support/robots-text.ts'
import { randomCases } from '../support/soak.ts'

/** Returns the line that decides on a path, counted from 1 within `rules`; 0 if none does. */
function decides(rules: string, path: string): number {
  const parsed = parseRobotsText(`user-agent: *\n${rules}`, 'orbweaver')
  return (decide(parsed, `https://example.com${path}`).rule?.line ?? 1) - 1
}

const matches = (pattern: string, path: string) => decides(`disallow: ${pattern}`, path) === 1

describe('decide', () => {
  it('returns undefined if no rule matches', () => {
    expect(decides('', '/')).toBe(0)
    expect(decides('disallow: /a\nallow: /b', '/c')).toBe(0)
  })

  it('returns the rule as it was written', () => {
    const rules = parseRobotsText('user-agent: *\ndisallow: /%7ea*$', 'orbweaver')
    expect(decide(rules, 'http://example.com/~ab').rule).toBe(rules.rules[0])
  })

  it('decides by rules that came from another thread', () => {
    const rules = structuredClone(parseRobotsText('user-agent: *\ndisallow: /a', 'orbweaver'))
    expect(decide(rules, 'http://example.com/a').rule?.line).toBe(2)
  })

  it('lets the longest pattern win, in any order', () => {
    expect(decides('disallow: /\nallow: /a/\ndisallow: /a/b', '/x')).toBe(1)
    expect(decides('disallow: /\nallow: /a/\ndisallow: /a/b', '/a/x')).toBe(2)
    expect(decides('disallow: /\nallow: /a/\ndisallow: /a/b', '/a/b')).toBe(3)
    expect(decides('disallow: /a/b\nallow: /a/\ndisallow: /', '/a/b')).toBe(1)
    expect(decides('disallow: /a/b\nallow: /a/\ndisallow: /', '/a/bc')).toBe(1)
  })

  it('counts * and $ as octets of the pattern', () => {
    expect(decides('allow: /page\ndisallow: /*.htm', '/page.htm')).toBe(2)
    expect(decides('allow: /page.h\ndisallow: /*.htm', '/page.htm')).toBe(1)
    expect(decides('disallow: /\nallow: /$', '/')).toBe(2)
  })

  it('prefers Allow among equally long patterns, then the first line', () => {
    expect(decides('disallow: /a\nallow: /a', '/a')).toBe(2)
    expect(decides('disallow: /a*\nallow: /ab', '/ab')).toBe(2)
    expect(decides('disallow: /a\ndisallow: /a', '/a')).toBe(1)
  })

  it('always allows /robots.txt, and no other path like it', () => {
    expect(decides('disallow: /', '/robots.txt')).toBe(0)
    expect(decides('disallow: /', '/robots.txt?x')).toBe(1)
    expect(decides('disallow: /', '/a/robots.txt')).toBe(1)
  })
})

describe('patterns', () => {
  it.each([
    ['/fish', '/fish.html', true],
    ['/fish', '/Fish', false],
    ['/fish', '/catfish', false],
    ['/fish/', '/fish', false],
    ['fish', '/fish', false],
    ['*fish', '/catfish', true],
    ['/a*c', '/ac', true],
    ['/a*c', '/a/b?c', true],
    ['/a*c', '/ab', false],
    ['/**a', '/xa', true],
    ['/*.php$', '/a.php', true],
    ['/*.php$', '/a.php.php', true],
    ['/*.php$', '/a.php5', false],
    ['/ab*b$', '/ab', false],
    ['/ab*ab$', '/abab', true],
    ['/a$', '/a', true],
    ['/a$', '/a/', false],
    ['/a*$', '/abc', true],
    ['/a$b', '/a$bc', true],
    ['/a$b', '/a', false],
    ['/a$$', '/a$', true],
    ['$', '/', false],
    ['*', '/', true],
    ['/*a*a*a', '/aa', false],
    ['/*a*bcd', '/a-bcd', true],
    ['/*bcd*a', '/bcd-a', true],
    ['/*bcd*efg', '/bcd-ef', false],
    ['/?x', '/?xy', true],
  ])('%s matches %s, alone and among many others: %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected)
    const others = Array.from({ length: 20 }, (_, n) => `disallow: /*another*pattern${n}`)
    expect(decides([`disallow: ${pattern}`, ...others].join('\n'), path) === 1).toBe(expected)
  })
})

describe('percent-encoding (RFC 9309, 2.2.2 and 2.2.3)', () => {
  // Each line is one class of spellings, which match each other and none of the next class.
  const classes = [
    ['/a/b', '/%61/b', '/a/%62'],
    ['/a%2Fb', '/a%2fb', '/%61%2Fb'],
    ['/ツ', '/%E3%83%84', '/%e3%83%84'],
    ['/~a', '/%7Ea', '/%7ea'],
    ['/Talk:x', '/Talk%3Ax', '/Talk%3ax'],
    ['/x_(y)', '/x_%28y%29'],
    ['/a b', '/a%20b'],
    ["/o'b", '/o%27b'],
    ['/?b=https://c/d?e', '/?b=https%3A%2F%2Fc%2Fd%3Fe'],
    ['/?b[0]=1', '/?b%5B0%5D=1'],
    ['/?b=1&c=2'],
    ['/?b=1%26c=2'],
    ['/?b%3D1&c=2'],
    ['/%', '/%'],
    ['/%zz'],
  ]
  const spellings = classes.flatMap((members, group) => members.map((text) => ({ text, group })))

  it.each(spellings)('$text matches its own class and no other', ({ text, group }) => {
    const matched = spellings.filter((other) => matches(`${text}$`, other.text))
    expect(matched).toEqual(spellings.filter((other) => other.group === group))
  })

  it('matches a literal * and $ by their percent-encoded forms', () => {
    expect(matches('/file-%2A.html', '/file-*.html')).toBe(true)
    expect(matches('/file-%2A.html', '/file-x.html')).toBe(false)
    expect(matches('/foo-%24', '/foo-$')).toBe(true)
    expect(matches('/foo-%24', '/foo-$/bar')).toBe(true)
  })

  it('distinguishes %2F and / after a * only in the path', () => {
    expect(matches('/*a%2Fb', '/xa%2Fb')).toBe(true)
    expect(matches('/*a%2Fb', '/xa/b')).toBe(false)
    expect(matches('/*a%2Fb', '/?a%2Fb')).toBe(true)
    expect(matches('/*x*a%2Fb', '/x?a/b')).toBe(true)
    expect(matches('/*?a%2Fb', '/?a/b')).toBe(true)
    expect(matches('/*a/b', '/?a%2Fb')).toBe(true)
    expect(matches('/*a/b', '/a%2Fb')).toBe(false)
  })
})

describe('compared with a simple implementation of the RFC', () => {
  // All positions that a prefix of the pattern can reach, octet by octet.
  function reaches(pattern: string, path: string): boolean {
    let ends = new Set([0])
    for (const [i, char] of [...pattern].entries()) {
      if (char === '$' && i === pattern.length - 1) return ends.has(path.length)
      const next = new Set<number>()
      for (const end of ends) {
        if (char === '*') for (let at = end; at <= path.length; at++) next.add(at)
        else if (path[end] === char) next.add(end + 1)
      }
      ends = next
    }
    return ends.size > 0
  }

  const part = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$'), maxLength: 8 })
  const rule = fc.record({ allow: fc.boolean(), pattern: part.map((text) => `/${text}`) })
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })

  it('decides like testing every rule in turn', () => {
    const property = fc.property(fc.array(rule, { maxLength: 30 }), path, (rules, rest) => {
      const text = rules.map(({ allow, pattern }) => `${allow ? 'allow' : 'disallow'}: ${pattern}`)
      const parsed = parseRobotsText(['user-agent: *', ...text].join('\n'), 'orbweaver')
      // A $ within a pattern counts three octets, since it is compared as %24.
      const size = (pattern: string) =>
        pattern.length + 2 * (pattern.slice(0, -1).match(/\$/g)?.length ?? 0)
      const best = parsed.rules
        .filter(({ pattern }) => reaches(pattern, `/${rest}`))
        .sort((a, b) => size(b.pattern) - size(a.pattern) || +b.allow - +a.allow || a.line - b.line)
      expect(decide(parsed, `https://example.com/${rest}`).rule).toBe(best[0])
    })
    fc.assert(property, { numRuns: randomCases(2_000) })
  })
})
