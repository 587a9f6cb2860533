import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedPattern } from '../../src/runtime/bounded-pattern.ts'
import { withTimeout } from '../../src/runtime/sync-timeout.ts'
import { chosen } from '../support/soak.ts'

const RUN = 'a'.repeat(60)

/** Sources of valid patterns, most of them without meaning. */
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

/** Returns whether a pattern matches; undefined if that takes too long. */
function matches(source: string, text: string): boolean | undefined {
  try {
    return withTimeout(500, () => new RegExp(source).test(text))
  } catch {
    return undefined
  }
}

describe('BoundedPattern', () => {
  it('matches the same texts as the regular expression', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '/', '1'), minLength: 1 })
    let [all, decided] = [0, 0]
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        for (const each of [text, `${'/'.repeat(1_000)}${text}`]) {
          const judged = new BoundedPattern(source).test(each)
          all++
          // Slow patterns run out of time. Once they have taken all that the thread may spend, so do others.
          if (judged === undefined) continue
          decided++
          const expected = matches(source, each)
          if (expected !== undefined) expect(judged).toBe(expected)
        }
      }),
      { numRuns: 300 },
    )
    expect(decided).toBeGreaterThan(all / 2)
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
  /** Patterns that use up all the time that a pattern may take. */
  const HARD = ['(?=a)(a+)+$', '((?:a+)+)!\\1$']
  // Node 22 has no modifiers such as `(?i:`.
  const valid = JUDGED.filter(([source]) => isValid(source))
  const some = chosen(valid, ([source, text, expected]) => {
    return expected !== undefined || (HARD.includes(source) && text.length < 100)
  })
  it.each(some)('decides on %s in a short time, or gives up', (source, text, expected) => {
    expect(new BoundedPattern(source).test(text)).toBe(expected)
  })

  it('decides on texts that take quadratic time, even without the linear engine', () => {
    const pattern = new BoundedPattern('.*(?=\\.pdf$)')
    expect(pattern.test(`/${RUN.repeat(20)}.pdf`)).toBe(true)
    expect(pattern.test(`/${RUN.repeat(20)}.html`)).toBe(false)
  })
})
