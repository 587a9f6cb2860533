import { describe, expect, it } from 'vitest'
import { acceptedCrawlDelay, excessiveCrawlDelay } from '../../src/robots/crawl-delay-limit.ts'
import { parseRobotsText } from '../support/robots-text.ts'

const rulesWith = (delay: string) =>
  parseRobotsText(`User-agent: *\nDisallow: /x\nCrawl-delay: ${delay}`, 'x')

describe('a Crawl-delay', () => {
  it.each([
    ['300', 300_000],
    ['0.5', 500],
    ['300.1', 0],
    ['1e3', 0],
  ])('of %s is accepted as %i ms', (delay, ms) => {
    expect(acceptedCrawlDelay(rulesWith(delay))).toBe(ms)
  })

  it('that is too long is a rule that forbids everything, with its line', () => {
    const rule = excessiveCrawlDelay(rulesWith('301'))
    expect(rule).toEqual({ allow: false, pattern: 'Crawl-delay: 301', line: 3 })
    expect(excessiveCrawlDelay(rulesWith('300'))).toBeUndefined()
  })

  it('of very many digits is reported as "or more", not as another number', () => {
    const rule = excessiveCrawlDelay(rulesWith(`2${'9'.repeat(400)}`))
    expect(rule?.pattern).toBe('Crawl-delay: 86400 or more')
  })

  it('given several times is the longest one, in any order', () => {
    const rules = parseRobotsText('User-agent: *\nCrawl-delay: 900\nCrawl-delay: 2', 'x')
    expect(excessiveCrawlDelay(rules)).toMatchObject({ line: 2 })
  })
})
