import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decidingRule } from '../../src/robots/match.ts'
import { parseRobots } from '../../src/robots/parse.ts'

const megabyte = 1_000_000
const longUrl = `https://example.com/${'a'.repeat(8000)}`
const repeatRule = (count: number, rule: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `disallow: /${rule(i)}`).join('\n')

// Each takes well under 0.3 s; what is quadratic in a megabyte takes minutes.
const limitMs = 2000

describe('hostile robots.txt', () => {
  it.each([
    ['*', '*'.repeat(megabyte)],
    ['a*a*a*', 'a*'.repeat(megabyte / 2)],
    ['line feeds', '\n'.repeat(megabyte)],
    ['carriage returns', '\r'.repeat(megabyte)],
    ['spaces', `${' '.repeat(megabyte / 4)}x${' '.repeat(megabyte / 4)}x`],
    ['colons', ':'.repeat(megabyte)],
    ['zeros', '\0'.repeat(megabyte)],
    ['a rule of *', `disallow: /${'*'.repeat(megabyte / 2)}x$`],
    ['a rule of a*a*a*', `disallow: /${'a*'.repeat(megabyte / 4)}b$`],
    ['a rule of %', `disallow: /${'%'.repeat(megabyte / 2)}`],
    ['a rule of é', `disallow: /${'é'.repeat(megabyte / 4)}`],
    ['a delay of digits', `crawl-delay: ${'1'.repeat(megabyte / 2)}x`],
    ['a name of letters', `user-agent: ${'a'.repeat(megabyte / 2)}`],
    ['one rule 60,000 times', 'allow:/\n'.repeat(60_000)],
    ['many names', 'user-agent:*\n'.repeat(megabyte / 20)],
    ['heads within heads', repeatRule(900, (i) => 'a'.repeat(i))],
    ['30,000 rules with *', repeatRule(30_000, (i) => `*${i}b`)],
    ['needles alike the path', repeatRule(4000, () => `*${'a'.repeat(90)}b`)],
  ])('is read and matched in linear time: %s', (_name, text) => {
    const body = `user-agent: *\n${text}`
    const start = performance.now()
    const rules = parseRobots(body, 'orbweaver')
    for (let i = 0; i < 5; i++) decidingRule(rules, `${longUrl}${i}`)
    expect(performance.now() - start).toBeLessThan(limitMs)
  })

  it('costs its preparation once, not for every URL', () => {
    const rules = parseRobots(`user-agent: *\n${repeatRule(5000, (i) => `${i}/*x`)}`, 'orbweaver')
    const start = performance.now()
    for (let i = 0; i < 2000; i++) decidingRule(rules, `https://example.com/${i}`)
    expect(performance.now() - start).toBeLessThan(limitMs)
  })

  it('is undecided for the worse when there is too much to look for', () => {
    const text = repeatRule(4000, (i) => `*${i}b`)
    const rules = parseRobots(`user-agent: *\n${text}\nallow: /*aaaaa`, 'orbweaver')
    expect(decidingRule(rules, longUrl)?.allow).toBe(true)
    const later = parseRobots(`user-agent: *\n${text}\nallow: /*a`, 'orbweaver')
    expect(decidingRule(later, longUrl)?.allow).toBe(false)
    expect(decidingRule(later, 'https://example.com/aaa')?.allow).toBe(true)
  })

  it('never throws, whatever the octets and the URL', () => {
    const word = fc.constantFrom('user-agent:*\n', 'allow:', 'disallow:/', '*', '$', '%', '\r', ' ')
    const bytes = fc
      .array(
        fc.oneof(
          word.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 6 }),
        ),
      )
      .map((parts) => Buffer.concat(parts))
    const property = fc.property(bytes, fc.string({ unit: 'binary' }), (body, path) => {
      decidingRule(parseRobots(body, 'orbweaver'), `http://example.com/${path}\uD800`)
      decidingRule(parseRobots(`user-agent: *\nallow: ${path}\uD800`, ''), 'http://example.com')
    })
    expect(() => fc.assert(property, { numRuns: 2000 })).not.toThrow()
  })
})
