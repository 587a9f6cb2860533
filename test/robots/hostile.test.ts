import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/robots/decide.ts'
import { parseRobots } from '../../src/robots/parse.ts'
import { FLAT, growth, SLACK } from '../support/growth.ts'
import { parseRobotsText } from '../support/robots-text.ts'
import { randomCases } from '../support/soak.ts'

const longUrl = `https://example.com/${'a'.repeat(8000)}`
const repeatRule = (count: number, rule: (i: number) => string) =>
  Array.from({ length: Math.floor(count) }, (_, i) => `disallow: /${rule(i)}`).join('\n')

/** Hostile files of about this many octets. */
const hostile: readonly (readonly [name: string, file: (octets: number) => string])[] = [
  ['*', (octets) => '*'.repeat(octets)],
  ['a*a*a*', (octets) => 'a*'.repeat(octets / 2)],
  ['line feeds', (octets) => '\n'.repeat(octets)],
  ['carriage returns', (octets) => '\r'.repeat(octets)],
  ['spaces', (octets) => `${' '.repeat(octets / 2)}x${' '.repeat(octets / 2)}x`],
  ['colons', (octets) => ':'.repeat(octets)],
  ['zeros', (octets) => '\0'.repeat(octets)],
  ['a rule of *', (octets) => `disallow: /${'*'.repeat(octets)}x$`],
  ['a rule of a*a*a*', (octets) => `disallow: /${'a*'.repeat(octets / 2)}b$`],
  ['a rule of %', (octets) => `disallow: /${'%'.repeat(octets)}`],
  ['a rule of é', (octets) => `disallow: /${'é'.repeat(octets / 2)}`],
  ['a delay of digits', (octets) => `crawl-delay: ${'1'.repeat(octets)}x`],
  ['a name of letters', (octets) => `user-agent: ${'a'.repeat(octets)}`],
  ['one rule repeated', (octets) => 'allow:/\n'.repeat(octets / 8)],
  ['many names', (octets) => 'user-agent:*\n'.repeat(octets / 13)],
  [
    'rules that are prefixes of each other',
    (octets) => repeatRule(Math.sqrt(2 * octets), (i) => 'a'.repeat(i)),
  ],
  ['many rules with *', (octets) => repeatRule(octets / 17, (i) => `*${i}b`)],
  [
    'patterns that nearly match the path',
    (octets) => repeatRule(octets / 104, () => `*${'a'.repeat(90)}b`),
  ],
]

/** Partial matches of this pattern occur nearly everywhere in the path, up to the middle. */
const oftenAlike = (i: number) => `*${'a'.repeat(1_900 - i)}b${'a'.repeat(2_000 + i)}`

/** Rules that nearly match a path of many `a`, and how many of them reach the limit of comparisons. */
const dear: readonly (readonly [name: string, rules: number, rule: (i: number) => string])[] = [
  ['one literal of 4,000 octets', 4, oftenAlike],
  [
    'many literals',
    4,
    (i) => `${`*${'a'.repeat(200)}`.repeat(9)}${oftenAlike(i).replaceAll('aa', 'a')}`,
  ],
  ['many literals of one octet', 64, (i) => `${'*a'.repeat(10)}*b*${[...`${i}`].join('*')}`],
  ['a pattern that ends with $', 4, (i) => `*${'a'.repeat(2_000 + i)}$`],
]

describe('a hostile robots.txt', () => {
  it.each(hostile)('is read and matched in linear time: %s', async (_, file) => {
    const readAndMatch = (octets: number) => {
      const rules = parseRobotsText(`user-agent: *\n${file(octets)}`, 'orbweaver')
      for (let i = 0; i < 5; i++) decide(rules, `${longUrl}${i}`)
    }
    expect(await growth(readAndMatch, 15_000)).toBeLessThan(SLACK)
  })

  it('is prepared once, not for every URL', async () => {
    const text = `user-agent: *\n${repeatRule(5_000, (i) => `${i}/*x`)}`
    const match = (urls: number) => {
      const rules = parseRobotsText(text, 'orbweaver')
      for (let i = 0; i < urls; i++) decide(rules, `https://example.com/${i}`)
    }
    // Matching the URLs takes little time compared with it: 32 times as many take less than 8 times as long.
    expect(await growth(match, 8, FLAT)).toBeLessThan(FLAT)
  })

  it.each(dear)(
    'takes limited time per URL, for any number of rules: %s',
    async (_, enough, rule) => {
      const files = new Map(
        [enough, 32 * enough].map((count) => [
          count,
          parseRobotsText(`user-agent: *\n${repeatRule(count, rule)}`, ''),
        ]),
      )
      const match = (count: number) => {
        const rules = files.get(count) ?? expect.fail('no such file')
        for (let i = 0; i < 20; i++) decide(rules, `${longUrl}${i}`)
      }
      // The limit is reached: 32 times as many rules take less than 8 times as long.
      expect(await growth(match, enough, FLAT)).toBeLessThan(FLAT)
    },
  )

  it('counts as disallowed if there is too much to compare', () => {
    const text = `user-agent: *\n${repeatRule(130, oftenAlike)}`
    expect(decide(parseRobotsText(text, ''), longUrl).rule?.allow).toBe(false)
    const rules = parseRobotsText(
      `${text}\nallow: /${'a'.repeat(100)}\nallow: /*a\ndisallow: /x`,
      '',
    )
    expect(decide(rules, longUrl).rule?.allow).toBe(false)
    expect(decide(rules, 'https://example.com/aaa').rule?.allow).toBe(true)
  })

  it('can be decided by a longer plain prefix, even if there is too much to compare', () => {
    const text = repeatRule(130, oftenAlike)
    const allowed = `user-agent: *\n${text}\nallow: /${'a'.repeat(5_000)}`
    expect(decide(parseRobotsText(allowed, ''), longUrl).rule?.allow).toBe(true)
    expect(decide(parseRobotsText(`${allowed}*`, ''), longUrl).rule?.allow).toBe(true)
  })

  it('is matched exactly if most rules need text that the URL lacks', () => {
    const text = repeatRule(25_000, (i) => `*${i}b`)
    const rules = parseRobotsText(`user-agent: *\nallow: /*a\n${text}`, '')
    expect(rules.rules).toHaveLength(25_001)
    expect(decide(rules, longUrl).rule?.allow).toBe(true)
    expect(decide(rules, `${longUrl}/24999b`).rule?.line).toBe(25_002)
  })

  it('never throws, for any octets and any URL', () => {
    const word = fc.constantFrom('user-agent:*\n', 'allow:', 'disallow:/', '*', '$', '%', '\r', ' ')
    const bytes = fc
      .array(
        fc.oneof(
          word.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 6 }),
        ),
      )
      .map((parts) => Buffer.concat(parts))
    // `fc.string` would first list all existing characters.
    const text = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))
    const property = fc.property(bytes, text, (body, path) => {
      decide(parseRobots(body, 'orbweaver'), `http://example.com/${path}\uD800`)
      decide(parseRobotsText(`user-agent: *\nallow: ${path}\uD800`, ''), 'http://example.com/')
    })
    expect(() => fc.assert(property, { numRuns: randomCases(1_000) })).not.toThrow()
  })
})
