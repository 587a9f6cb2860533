import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openText } from '../../src/compressed-files/open-text.ts'
import type { Skip } from '../../src/records/skip.ts'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'

function scratchFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'skipped.jsonl')
}

/** Returns the lines of `--skipped`, and the counts of the summary. */
async function skipsOf(site: SiteServer, ...args: readonly string[]) {
  const file = scratchFile()
  const { stderr } = await callCrawl([`${site.url}/`, '-w', '1', '--skipped', file, ...args])
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const skips: Skip[] = lines.map((line) => JSON.parse(line))
  const summary = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  return { skips, counts: summary.skipped }
}

describe('--skipped', () => {
  it('lists each skipped URL once per reason', async () => {
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
      { url: `${site.url}/no/x`, via, depth: 1, reason: 'excluded', rule: '/no/' },
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

  const RESUMED: [name: string, flags: string[]][] = [
    ['skipped.jsonl', []],
    ['skipped.jsonl.gz', []],
    ['skipped.jsonl', ['--deterministic']],
    ['skipped.jsonl', ['--content-dedup', 'exact', '--no-follow-duplicates']],
  ]
  it.each(chosen(RESUMED, (_, index) => index > 0))(
    'lists no URL twice after the crawl was resumed: %s %j',
    async (name, flags) => {
      const links = '<a href=//elsewhere.test/>1</a><a href=/n rel=nofollow>2</a>'
      const ofSecondLevel = `${links}<a href=/deep>3</a>`
      const site = await serveSite({
        ...{ '/': `${links}<a href=/2>x</a><a href=/3>y</a>` },
        ...{ '/2': ofSecondLevel, '/3': `${ofSecondLevel}.` },
      })
      const folder = dirname(scratchFile())
      const file = join(folder, name)
      const kept = ['-w', '1', '--state', join(folder, 'state'), '-o', join(folder, 'o.jsonl')]
      const command = [site.url, '-d', '1', ...kept, '--skipped', file, ...flags]
      await callCrawl([...command, '--max-pages', '2'])
      const { stderr } = await callCrawl(command)
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').skipped).toMatchObject({
        ...{ depth: 1, 'out-of-scope': 1, nofollow: 1 },
      })
      const text = await readText(await openText(file))
      const lines = text.trim().split('\n')
      const keys = lines.map((line) => JSON.parse(line)).map(({ reason }) => reason)
      expect(keys.sort()).toEqual(['depth', 'nofollow', 'out-of-scope'])
    },
  )

  it('is accompanied by a warning of patterns that matched nothing', async () => {
    const site = await serveSite({ '/': '<a href=/private/a>', '/private/a': '' })
    const patterns = ['--exclude', '^/private', '--exclude', '/a$', '--include', '.']
    const { stderr } = await callCrawl([site.url, ...patterns])
    const warnings = stderr.split('\n').filter((line) => /"level":(40|"warn")/.test(line))
    expect(warnings).toEqual([
      expect.stringContaining(
        '--exclude ^/private matched no URL inside the scope; it is compared',
      ),
    ])
  })

  it('lists URLs that --exclude-path and --include-path reject, with the deciding path', async () => {
    const site = await serveSite({
      '/': '<a href=/shop/a>1</a><a href=/shop/private/b>2</a><a href=/about>3</a>',
      '/shop/a': '<a href=/shop/private-sale>4</a><a href=/shop/x.pdf?1>5</a>',
      '/shop/private-sale': '',
    })
    const paths = ['--exclude-path', '/shop/private', '--exclude-path', '*.pdf']
    const { skips } = await skipsOf(site, '--include-path', '/shop', ...paths)
    const shown = skips.map(({ url, reason, rule }) => [url.slice(site.url.length), reason, rule])
    expect(shown.sort()).toEqual([
      ['/about', 'excluded', undefined],
      ['/shop/private/b', 'excluded', '/shop/private'],
      ['/shop/x.pdf?1', 'excluded', '*.pdf'],
    ])
    const fetched = site.requests.map(({ url }) => url).filter((url) => url !== '/robots.txt')
    expect(fetched).toEqual(['/', '/shop/a', '/shop/private-sale'])
  })

  it('lists a URL once per reason, even if many pages in each worker link to it', async () => {
    const pages = Array.from({ length: 30 }, (_, index) => `/${index}`)
    const links = [...pages, '/private/x', '/seldom', 'http://elsewhere.test/', 'tel:112']
    const page = `${links.map((href) => `<a href="${href}">x</a>`).join('')}
      <a href="/seldom" rel=nofollow>x</a><a href="/private/x" rel=nofollow>x</a>`
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private/'),
      ...Object.fromEntries(['/', ...pages].map((path) => [path, page])),
    })
    const args = ['-d', '1', '-w', '3', '-c', '4', '--per-host', '32', '--exclude', 'seldom$']
    const { skips, counts } = await skipsOf(site, ...args)
    const listed = skips.map(({ reason, url }) => `${reason} ${url.replace(site.url, '')}`)
    expect(listed.sort()).toEqual([
      'excluded /seldom',
      'nofollow /private/x',
      'nofollow /seldom',
      'out-of-scope http://elsewhere.test/',
      'robots /private/x',
      'scheme tel:112',
    ])
    expect(counts).toMatchObject({ excluded: 1, nofollow: 2, 'out-of-scope': 1, robots: 1 })
    // 31 pages link to 31 URLs inside the scope, each of which was new once.
    expect(counts).toMatchObject({ scheme: 1, duplicate: 31 * 31 - 31 })
  })

  it.each([[[]], [['--deterministic']], [['--content-dedup', 'exact', '--no-follow-duplicates']]])(
    'counts skipped URLs separately from known links: %j',
    async (flags) => {
      const site = await serveSite({
        ...{ '/': '<a href=/a>x</a><a href=/b>y</a>', '/a': '<a href=/>1</a><a href=/b>2</a>' },
        '/b': '<a href=/>3</a><a href=/a>4</a><a href=/c>5</a>',
      })
      const { counts } = await skipsOf(site, '-d', '1', '-w', '1', ...flags)
      expect(counts).toEqual({ depth: 1, duplicate: 4 })
    },
  )

  it('lists links that nofollow in a meta element or a header rejects', async () => {
    const site = await serveSite({
      '/': '<a href=/meta>1</a><a href=/header>2</a>',
      '/meta': '<meta name=robots content=nofollow><a href=/by-meta>1</a>',
      '/header': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'none' })
        response.end('<a href=/by-header>1</a>')
      },
    })
    const { skips } = await skipsOf(site)
    expect(skips.sort((a, b) => a.url.localeCompare(b.url))).toEqual([
      {
        ...{ url: `${site.url}/by-header`, via: `${site.url}/header` },
        ...{ depth: 2, reason: 'nofollow' },
      },
      { url: `${site.url}/by-meta`, via: `${site.url}/meta`, depth: 2, reason: 'nofollow' },
    ])
  })

  it('lists the target of a redirect like a link, at the depth of the redirect', async () => {
    const site = await serveSite({
      '/': '<a href=/leave>1</a>',
      '/leave': (_, response) => {
        response.writeHead(302, { location: 'http://elsewhere.test/' }).end()
      },
    })
    const { skips } = await skipsOf(site)
    const via = `${site.url}/leave`
    expect(skips).toEqual([
      { url: 'http://elsewhere.test/', via, depth: 1, reason: 'out-of-scope' },
    ])
  })

  it('lists the excluded target of a seed that would widen the scope', async () => {
    const site = await serveSite({
      '/': (_, response) => response.writeHead(302, { location: 'http://elsewhere.test/no' }).end(),
    })
    const { skips } = await skipsOf(site, '--exclude', '/no$')
    expect(skips).toMatchObject([{ url: 'http://elsewhere.test/no', reason: 'excluded', depth: 0 }])
  })

  it('lists a URL that no --include pattern matches, and one that is too long', async () => {
    const long = `/in/${'x'.repeat(8_000)}`
    const site = await serveSite({ '/': `<a href=/in/1>1</a><a href=/out>2</a><a href=${long}>` })
    const { skips } = await skipsOf(site, '--include', '/in/')
    const via = `${site.url}/`
    expect(skips).toEqual([
      { url: `${site.url}/out`, via, depth: 1, reason: 'excluded' },
      { url: long.slice(0, 2_000), via, depth: 1, reason: 'limit' },
    ])
  })

  it('lists the deciding rule of robots.txt with its line, also for a seed', async () => {
    const robots = '# rules\nUser-agent: *\nDisallow: /\nAllow: /open\nDisallow: /open/not*'
    const site = await serveSite({
      '/robots.txt': (_, response) => response.end(robots),
      '/open': '<a href=/open/not-here>1</a><a href=/open/here>2</a>',
    })
    const { skips } = await skipsOf(site, `${site.url}/open`)
    expect(skips.map(({ url, rule, line }) => [url.slice(site.url.length), rule, line])).toEqual([
      ['/', '/', 3],
      ['/open/not-here', '/open/not*', 5],
    ])
    expect(skips[0]).not.toHaveProperty('via')
  })

  it("doesn't replace a file without --overwrite, and leaves no other file behind", async () => {
    const file = scratchFile()
    writeFileSync(file, 'dear data')
    const site = await serveSite({ '/': '<a href="tel:112">x</a>' })
    const args = [`${site.url}/`, '-q', '--skipped', file, '-o', `${file}.visits.jsonl`]
    expect(await callCrawl(args)).toMatchObject({
      code: 2,
      stderr: `crawl: ${file}: expected a file that doesn't exist yet; --overwrite replaces it\n`,
    })
    expect(existsSync(`${file}.visits.jsonl`)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('dear data')
    expect((await callCrawl([...args, '--overwrite'])).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url: 'tel:112' })
  })

  it('lists the URLs that a limit left in the queue', async () => {
    const site = await serveSite({ '/': '<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>' })
    const { skips, counts } = await skipsOf(site, '--max-pages', '2')
    expect(skips).toHaveLength(2)
    expect(skips).toMatchObject([{ reason: 'limit', depth: 1 }, { reason: 'limit' }])
    expect(counts).toEqual({ limit: 2 })
  })
})
