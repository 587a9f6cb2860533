import { describe, expect, it } from 'vitest'
import { summaryText } from '../../../src/cli/terminal/summary-text.ts'
import { mergeConfig } from '../../../src/config/resolve-config.ts'
import type { Summary } from '../../../src/crawl/stats/stats.ts'
import { summarySample } from './sample.ts'

const config = mergeConfig({ seeds: ['http://a.test/'] }, 'a file', {})
const summaryOf = (summary: Partial<Summary>, columns = 80) =>
  summaryText(summarySample(summary), config, columns)

describe('the summary for people', () => {
  it('shows all of its first item in a narrow terminal', () => {
    const [first, second] = summaryOf({}, 31).split('\n')
    expect([first, second]).toEqual([
      'Finished after 3:07: 1,234,567',
      'visits on 3 hosts   6,588/s',
    ])
  })

  it('reports visits, failures, skipped and lost URLs, and the speed', () => {
    expect(summaryOf({})).toBe(`\
Finished after 3:07: 1,234,567 visits on 3 hosts   6,588/s   3.0 GiB read
150 MiB of memory
Found        1,200,000  200
                34,000  301
HTTP errors  500  404
              60  503
Failed       7  timeout
Retries      7
Skipped      9,999,999  already known
                 4,321  outside the scope
                    12  forbidden by robots.txt
             --skipped <file> lists them with reasons, except known URLs
Missed       an estimated 12.3 of 1,300,000 URLs (81,250 audited, 1 missed)
             the seen set is 46 % full: 1 new URL in 2,381 missed
`)
  })

  it('reports the current round, next to its totals and those of all rounds', () => {
    const round = {
      ...{ number: 3, elapsedMs: 2_000, visits: 1_240, bytes: 2_048, retries: 0 },
      ...{ statuses: { 200: 1_238, 404: 2 }, errors: {}, failed: 0, skipped: { robots: 1 } },
    }
    const text = summaryOf({ round, visitsOfRun: 1_000 }, 120)
    const [head, ...rest] = text.split('\n')
    expect(head).toBe(
      'Finished after 2.0 s: 1,240 visits in round 3 (1,000 of them in this run, 1,234,567 in all rounds) on 3 hosts   620/s',
    )
    expect(rest.join('\n')).toMatch(
      /Found {8}1,238 {2}200\nHTTP errors {2}2 {2}404\nFailed {7}nothing\nSkipped {6}1 {2}forbidden/,
    )
  })

  it('reports that nothing failed', () => {
    expect(summaryOf({ statuses: { 200: 3 }, errors: {} })).toContain('\nFailed       nothing\n')
  })

  it('reports no missed URLs of a job, whose seen set is in Redis', () => {
    const job = mergeConfig({ frontier: ['redis://127.0.0.1'], job: 'news' }, 'a file', {})
    expect(summaryText(summarySample(), job, 80)).not.toContain('missed')
  })

  it('reports that no URL was missed, unless the seen set is too full or an audit found one', () => {
    const seen = { ...summarySample().seen, expectedLost: 0.01, added: 219 }
    const audit = { share: 0.1, sampled: 13, mistakes: 0, lostShare: 0 }
    const none = summaryOf({ seen: { ...seen, audit } })
    expect(none).toContain('Missed       an estimated 0 of 219 URLs (13 audited, 0 missed)\n')
    expect(none).not.toContain('the seen set')
    const found = summaryOf({ seen: { ...seen, audit: { ...audit, mistakes: 1 } } })
    expect(found).toContain('Missed       an estimated 0.0 of 219 URLs (13 audited, 1 missed)\n')
    expect(found).toContain('the seen set is ')
  })

  it('reports waiting URLs, unless they are already counted as skipped', () => {
    const line = 'Left         5 URLs not fetched yet\n             not kept: with --state <dir> '
    expect(summaryOf({ reason: 'stopped', queued: 5 })).toContain(line)
    expect(summaryOf({ reason: 'max-pages', queued: 5, skipped: { limit: 5 } })).not.toContain(
      'Left',
    )
    const interrupted = summaryOf({ reason: 'stopped', queued: 5, skipped: { limit: 5 } }, 100)
    expect(interrupted).toContain(
      '5  left by the interruption; with --state <dir> the same command would go on\n',
    )
    const timed = summaryOf({ reason: 'max-time', queued: 5, skipped: { limit: 5 } })
    expect(timed).toContain('5  left by --max-time\n')
    const limited = summaryOf({ reason: 'max-pages', queued: 5, skipped: { limit: 9 } })
    expect(limited).toContain('9  left by --max-pages or another limit\n')
    const kept = mergeConfig({ seeds: ['http://a.test/'], state: 'dir' }, 'a file', {})
    const left = summarySample({ reason: 'stopped', queued: 5, skipped: { limit: 6 } })
    const text = summaryText(left, kept, 80)
    expect(text).toContain('\n             the same command continues with them\n')
    expect(text).toContain('6  left by --max-pages, --max-time or another limit\n')
  })

  it('advises a higher --max-pages once a crawl with --state has used it up, except in a job', () => {
    const left = (settings: object, reason: Summary['reason']) => {
      const kept = mergeConfig({ seeds: ['http://a.test/'], ...settings }, 'a file', {})
      return summaryText(summarySample({ reason, queued: 5 }), kept, 120)
    }
    const text = left({ state: 'dir' }, 'max-pages')
    expect(text).toContain(
      'the same command continues with them if you raise or drop --max-pages\n',
    )
    expect(left({ state: 'dir' }, 'max-time')).toContain('the same command continues with them\n')
    const job = { frontier: ['redis://127.0.0.1'], job: 'a' }
    expect(left(job, 'max-pages')).toContain('the same command continues with them\n')
  })

  it('reports a lost login, with a page that shows it', () => {
    const first = { url: 'http://a.test/2', redirectsTo: 'http://a.test/login' }
    const text = summaryOf({ login: { renewals: 1, lost: 59, first } }, 120)
    expect(text).toContain(
      'Login        lost and renewed 1 time\n             lost: 59 URLs led to the login page, such as http://a.test/2 to http://a.test/login\n',
    )
    expect(summaryOf({ login: { renewals: 2, lost: 0 } })).toContain('lost and renewed 2 times\n')
  })

  it('names hosts that were given up, and how to retry their URLs', () => {
    const host = { key: 'a.test', reason: 'no answer', waiting: 138, hasAnswered: true }
    const givenUp = { first: Array(7).fill(host), count: 12, hadAnswered: 12 }
    const text = summaryOf({ givenUp })
    expect(text).toContain('Given up     a.test, with 138 URLs: no answer\n')
    expect(text).toContain('\n             7 more hosts\n')
    expect(text).not.toContain('--retry-failed')
    const kept = mergeConfig({ seeds: ['http://a.test/'], state: 'dir' }, 'a file', {})
    expect(summaryText(summarySample({ givenUp }), kept, 80)).toContain(
      '--retry-failed visits their',
    )
  })

  it('names traps and failed seeds, without control characters and within the width', () => {
    const example = `http://a.test/${'calendar/'.repeat(30)}`
    const traps = [{ pattern: '/cal/*', dropped: 1_000, example }]
    const seedFailures = [{ url: 'http://b.test/', reason: 'bad \u001b[2J answer' }]
    const seedErrors = [{ url: 'http://c.test/', reason: '404 Not Found' }]
    const text = summaryOf({ traps, seedErrors, seedFailures }, 60)
    expect(text).toContain('Traps        /cal/*: 1,000 URLs left out, such as')
    expect(text).toContain(`\n             ${example}\n`)
    expect(text).toContain('Seeds        http://b.test/: bad \ufffd[2J answer\n')
    expect(text).toContain('             http://c.test/: 404 Not Found\n')
  })
})
