import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Skip } from '../../src/wire/skip.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'skipped.jsonl')
}

/** The lines of `--skipped`, and what the summary counts. */
async function skipsOf(site: SiteServer, ...args: readonly string[]) {
  const file = scratchFile()
  const { stderr } = await runCrawl([`${site.url}/`, '--skipped', file, ...args])
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const skips: Skip[] = lines.map((line) => JSON.parse(line))
  const summary = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return { skips, counts: summary.skipped }
}

describe('--skipped', () => {
  it('tells each URL that was named and not fetched once per reason', async () => {
    const links = `<a href="mailto:a@b.test">1</a><a href="http://[">2</a><a href=/no/x>3</a>
      <a href="http://elsewhere.test/">4</a><a href=/private/y>5</a><a href=/n rel=nofollow>6</a>
      <a href=/second>7</a>`
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private'),
      '/': links,
      '/second': `${links}<a href=/deep>8</a>`,
    })
    const { skips, counts } = await skipsOf(site, '--depth', '1', '--exclude', '/no/')
    const via = `${site.url}/`
    expect(skips.sort((a, b) => a.reason.localeCompare(b.reason))).toEqual([
      { url: `${site.url}/deep`, via: `${site.url}/second`, depth: 2, reason: 'depth' },
      { url: `${site.url}/no/x`, via, depth: 1, reason: 'excluded' },
      { url: 'http://[', via, depth: 1, reason: 'invalid-url' },
      { url: `${site.url}/n`, via, depth: 1, reason: 'nofollow' },
      { url: 'http://elsewhere.test/', via, depth: 1, reason: 'out-of-scope' },
      {
        ...{ url: `${site.url}/private/y`, via, depth: 1, reason: 'robots' },
        ...{ rule: '/private', line: 2 },
      },
      { url: 'mailto:a@b.test', via, depth: 1, reason: 'scheme' },
    ])
    const once = Object.fromEntries(skips.map(({ reason }) => [reason, 1]))
    expect(counts).toEqual({ ...once, duplicate: 2 })
  })

  it('names what a limit left in the queue', async () => {
    const site = await serveSite({ '/': '<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>' })
    const { skips, counts } = await skipsOf(site, '--max-pages', '2')
    expect(skips).toHaveLength(2)
    expect(skips).toMatchObject([{ reason: 'limit', depth: 1 }, { reason: 'limit' }])
    expect(counts).toEqual({ limit: 2 })
  })
})
