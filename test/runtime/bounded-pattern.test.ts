import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedPattern } from '../../src/runtime/bounded-pattern.ts'

const RUN = 'a'.repeat(60)

/** Sources of valid patterns, most of them without sense. */
const sources = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', '/', '.', '\\w', '[^a]', '(', '(?:', '(?=', '(?!', '(?<=', '(?i:', '(?<n>'],
      ...[')', ')', '*', '+', '?', '*?', '{2}', '{1,20}', '|', '^', '$', '\\b', '\\1', '\\k<n>'],
    ),
    { maxLength: 12 },
  )
  .map((tokens) => tokens.join(''))
  .filter(isValid)

function isValid(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

describe('BoundedPattern', () => {
  it('matches what the pattern matches', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '/', '1'), minLength: 1 })
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        expect(new BoundedPattern(source).test(text)).toBe(new RegExp(source).test(text))
        const long = `${'/'.repeat(1_000)}${text}`
        expect(new BoundedPattern(source).test(long)).toBe(new RegExp(source).test(long))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['(a+)+$', `${RUN}!`, false],
    ['(a+)+$', RUN.repeat(100), true],
    ['(?:(a|aa)+)+$', `${RUN.repeat(100)}!`, false],
    ['(?=a)(a+)+$', `!${RUN}`, true],
    ['(?=a)(a+)+$', `${RUN}!`, undefined],
    ['(?=a)(a+)+$', `${RUN.repeat(100)}!`, undefined],
    ['((?:a+)+)!\\1$', `${RUN}!b`, undefined],
    ['(?i:(A+)+$)', `${RUN}!`, undefined],
    ['(?:a{1,50})+$', `${RUN}!`, undefined],
  ])('judges %s in a short time, or not at all', (source, text, expected) => {
    expect(new BoundedPattern(source).test(text)).toBe(expected)
  })

  it('judges texts that take quadratic time by the pattern, without the linear engine too', () => {
    const pattern = new BoundedPattern('.*(?i:\\.pdf)$')
    expect(pattern.test(`/${RUN.repeat(20)}.PDF`)).toBe(true)
    expect(pattern.test(`/${RUN.repeat(20)}.html`)).toBe(false)
  })
})
