import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedPattern } from '../../src/runtime/bounded-pattern.ts'
import { chosen } from '../support/soak.ts'

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

/** Returns whether a pattern matches, and the milliseconds of processor time that this takes. */
function match(source: string, text: string) {
  const before = process.threadCpuUsage()
  const matches = new RegExp(source).test(text)
  return { matches, ms: process.threadCpuUsage(before).user / 1_000 }
}

describe('BoundedPattern', () => {
  it('matches what the pattern matches', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '/', '1'), minLength: 1 })
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        for (const each of [text, `${'/'.repeat(1_000)}${text}`]) {
          const judged = new BoundedPattern(source).test(each)
          const { matches, ms } = match(source, each)
          // A busy machine leaves it no time for some patterns, none of which is quick.
          if (judged === undefined) expect(ms).toBeGreaterThan(5)
          else expect(judged).toBe(matches)
        }
      }),
      { numRuns: 300 },
    )
  })

  const JUDGED: [source: string, text: string, expected: boolean | undefined][] = [
    ['(a+)+$', `${RUN}!`, false],
    ['(a+)+$', RUN.repeat(100), true],
    ['(?:(a|aa)+)+$', `${RUN.repeat(100)}!`, false],
    ['(?=a)(a+)+$', `!${RUN}`, true],
    ['(?=a)(a+)+$', `${RUN}!`, undefined],
    ['(?=a)(a+)+$', `${RUN.repeat(100)}!`, undefined],
    ['((?:a+)+)!\\1$', `${RUN}!b`, undefined],
    ['(?i:(A+)+$)', `${RUN}!`, undefined],
    ['(?:a{1,50})+$', `${RUN}!`, undefined],
  ]
  /** Each takes all the time that a pattern may have. */
  const HARD = ['(?=a)(a+)+$', '((?:a+)+)!\\1$']
  const some = chosen(JUDGED, ([source, text, expected]) => {
    return expected !== undefined || (HARD.includes(source) && text.length < 100)
  })
  it.each(some)('judges %s in a short time, or not at all', (source, text, expected) => {
    expect(new BoundedPattern(source).test(text)).toBe(expected)
  })

  it('judges texts that take quadratic time by the pattern, without the linear engine too', () => {
    const pattern = new BoundedPattern('.*(?i:\\.pdf)$')
    expect(pattern.test(`/${RUN.repeat(20)}.PDF`)).toBe(true)
    expect(pattern.test(`/${RUN.repeat(20)}.html`)).toBe(false)
  })
})
