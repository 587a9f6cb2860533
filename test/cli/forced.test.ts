import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'
import { alter, ask, useFolder, visitsIn } from '../support/state-run.ts'
import { until } from '../support/until.ts'

const path = useFolder()

const links = (...hrefs: readonly string[]) =>
  hrefs.map((href) => `<a href="${href}">x</a>`).join('')
const text = (body: string) => (_: unknown, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(body)
}

/** Serves a site with a URL for each setting that can keep it out. */
const serve = () =>
  serveSite({
    '/robots.txt': (_, response) => response.end('User-agent: *\nDisallow: /private'),
    '/': `${links('/1', '/2', '/private/1', '/no')}<img src=/home.png>`,
    '/1': `${links('/1/1', '/2', '/notes.txt')}<a href=/shy rel=nofollow>x</a><img src=/one.png>`,
    '/1/1': links('/1/1/1', '/'),
    '/1/1/1': links('/1/1/1/1'),
    '/2': links('/no?2', '/1/1/1/1'),
    '/no': links('/only-from-no'),
    '/sitemap.xml': (request, response) => {
      response.writeHead(200, { 'content-type': 'text/xml' })
      response.end(`<urlset><url><loc>http://${request.headers.host}/listed</loc></url></urlset>`)
    },
    '/moved': (_, response) => response.writeHead(302, { location: '/no/target' }).end(),
    '/notes.txt': text('/1/1'),
    '/elsewhere': links('/elsewhere/1', '/1'),
    ...Object.fromEntries(
      ['/1/1/1/1', '/no?2', '/only-from-no', '/private/1', '/shy', '/listed'].map((page) => [
        page,
        'x',
      ]),
    ),
    ...Object.fromEntries(['/home.png', '/one.png'].map((image) => [image, text('png')])),
  })

const kept = () => ['-q', '-o', path('out.jsonl'), '--state', path('state')]
const crawlOf = (site: SiteServer, ...args: readonly string[]) => [
  `${site.url}/`,
  ...kept(),
  ...args,
]

async function pathsIn(file: string, site: SiteServer): Promise<string[]> {
  return (await visitsIn(file)).map(({ url }) => url.slice(site.url.length)).sort()
}

/** Returns what a crawl that starts with these settings fetches. */
async function pathsOf(site: SiteServer, ...args: readonly string[]): Promise<string[]> {
  const file = path('fresh.jsonl')
  await callCrawl([`${site.url}/`, '-q', '-o', file, '--overwrite', ...args])
  return pathsIn(file, site)
}

const DEEP = ['-d', '9']

describe('a finished crawl continues with --force', () => {
  it('with a greater --depth: rereads pages at the old limit, without a second record', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '-d', '1'))
    const before = site.requests.length
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(['/', '/1', '/2', '/no'])
    expect(await callCrawl(crawlOf(site, '-d', '4', '--force'))).toMatchObject({ code: 0 })
    const requested = site.requests.slice(before).map(({ url }) => url)
    const deeper = ['/1/1', '/1/1/1', '/1/1/1/1', '/no?2', '/notes.txt', '/only-from-no']
    expect(requested.sort()).toEqual(['/1', '/2', '/no', ...deeper].sort())
    expect(await pathsIn(path('out.jsonl'), site)).toEqual([...new Set([...requested, '/'])].sort())
  })

  const CHANGES: [name: string, first: readonly string[], second: readonly string[]][] = [
    ['fewer patterns of --exclude', ['--exclude', 'no'], []],
    ['fewer paths of --exclude-path', ['--exclude-path', '/no'], []],
    ['--external', [], ['--external']],
    ['--assets', [], ['--assets']],
    ['--sitemaps', [], ['--sitemaps']],
    ['--sitemaps and --ignore-robots', ['--ignore-robots'], ['--ignore-robots', '--sitemaps']],
    ['--ignore-robots', [], ['--ignore-robots']],
    ['fewer rules of --canonicalize', ['--canonicalize', 'sort-query'], []],
  ]
  it.each(chosen(CHANGES, ([name]) => !/ and |path|external|canonicalize|assets/.test(name)))(
    'with %s, and fetches the same pages as a new crawl',
    async (_, first, second) => {
      const site = await serve()
      await callCrawl(crawlOf(site, ...DEEP, ...first))
      const early = await pathsIn(path('out.jsonl'), site)
      const { code, stderr } = await callCrawl(crawlOf(site, ...DEEP, ...second, '--force'))
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const all = await pathsIn(path('out.jsonl'), site)
      expect(all).toEqual(await pathsOf(site, ...DEEP, ...second))
      expect(all.length).toBeGreaterThanOrEqual(early.length)
    },
  )

  it('and reads pages again whose responses ended early', async () => {
    const whole = gzipSync(`${links('/1')}${randomBytes(2_000).toString('hex')}`)
    const site = await serveSite({
      '/': links('/packed', '/closed'),
      '/packed': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        response.end(whole.subarray(0, whole.length - 8))
      },
      '/closed': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': 1_000 })
        response.write(links('/2'), () => response.destroy())
      },
      ...{ '/1': '', '/2': '' },
    })
    for (const narrow of [
      ['-d', '1'],
      ['--exclude', '[12]$'],
    ]) {
      const name = `out${narrow[0]}`
      const outputs = ['-q', '--retries', '0', '-o', path(name), '--state', path(`${name}.state`)]
      await callCrawl([`${site.url}/`, ...outputs, ...narrow])
      expect(await pathsIn(path(name), site)).toEqual(['/', '/closed', '/packed'])
      await callCrawl([`${site.url}/`, ...outputs, '--force'])
      expect(await pathsIn(path(name), site)).toEqual(['/', '/1', '/2', '/closed', '/packed'])
    }
  })

  it('with more seeds and a wider scope, and fetches the same pages as a new crawl', async () => {
    const site = await serve()
    const [first, second] = [`${site.url}/1/1`, `${site.url}/elsewhere`]
    await callCrawl([first, ...kept(), ...DEEP, '--scope', 'path'])
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(['/1/1', '/1/1/1', '/1/1/1/1'])
    const wider = [first, second, ...DEEP, '--scope', 'host']
    expect((await callCrawl([...wider, ...kept(), '--force'])).code).toBe(0)
    await callCrawl([...wider, '-q', '-o', path('fresh.jsonl')])
    const all = await pathsIn(path('out.jsonl'), site)
    expect(all).toEqual(await pathsIn(path('fresh.jsonl'), site))
    expect(all).toContain('/elsewhere/1')
  })

  it('with a wider scope: reads the pages that --external had only checked', async () => {
    const site = await serveSite({
      '/a/': links('/a/1', '/b/', '/moved'),
      '/a/1': links('/c/'),
      ...{ '/b/': links('/b/1'), '/b/1': links('/b/2'), '/b/2': '', '/c/': links('/c/1') },
      '/c/1': '',
      '/moved': (_, response) => response.writeHead(302, { location: '/d/' }).end(),
      ...{ '/d/': links('/d/1'), '/d/1': links('/d/2'), '/d/2': '' },
    })
    for (const depth of ['1', '2']) {
      const files = ['-q', '-o', path(`${depth}.jsonl`), '--state', path(depth)]
      const command = [`${site.url}/a/`, ...files, '-d', depth, '--external']
      await callCrawl([...command, '--scope', 'path'])
      expect((await callCrawl([...command, '--force'])).code).toBe(0)
      await callCrawl([`${site.url}/a/`, '-q', '-o', path(`${depth}.fresh.jsonl`), '-d', depth])
      const fresh = await pathsIn(path(`${depth}.fresh.jsonl`), site)
      // At the depth limit, external links were checked that a new crawl skips.
      const checked = depth === '1' ? ['/c/'] : []
      expect(await pathsIn(path(`${depth}.jsonl`), site)).toEqual([...fresh, ...checked].sort())
    }
  })

  it('with a wider scope: visits external links again that are due', async () => {
    const site = await serveSite({ '/a/': links('/b/'), '/b/': links('/b/1'), '/b/1': '' })
    const command = [`${site.url}/a/`, ...kept(), '--external']
    await callCrawl([...command, '--scope', 'path'])
    await callCrawl([...command, '--force', '--revisit-after', '0'])
    const paths = await pathsIn(path('out.jsonl'), site)
    expect(paths).toEqual(['/a/', '/a/', '/b/', '/b/', '/b/1'])
  })

  it('with --sitemaps: follows links of pages at the old limit that are listed', async () => {
    const site = await serveSite({
      ...{ '/': links('/1'), '/1': links('/2'), '/2': '' },
      '/sitemap.xml': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/xml' })
        response.end(`<urlset><url><loc>http://${request.headers.host}/1</loc></url></urlset>`)
      },
    })
    await callCrawl(crawlOf(site, '-d', '1'))
    await callCrawl(crawlOf(site, '-d', '1', '--sitemaps', '--force'))
    const all = await pathsIn(path('out.jsonl'), site)
    expect(all).toEqual(await pathsOf(site, '-d', '1', '--sitemaps'))
  })

  it('with a smaller --depth: reads pages again that have come nearer', async () => {
    const site = await serveSite({
      ...{ '/': links('/1', '/x'), '/1': links('/2'), '/2': links('/3'), '/x': links('/3') },
      '/3': '<img src=/3.png>',
      '/3.png': text('png'),
    })
    await callCrawl(crawlOf(site, '-d', '3', '--exclude-path', '/x'))
    await callCrawl(crawlOf(site, '-d', '2', '--assets', '--force'))
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(
      await pathsOf(site, '-d', '2', '--assets'),
    )
  })

  it('with a greater --depth: reads external links that the scope includes since an earlier --force', async () => {
    const site = await serveSite({ '/a/': links('/b/'), '/b/': links('/b/1'), '/b/1': '' })
    const command = [`${site.url}/a/`, ...kept()]
    await callCrawl([...command, '--external', '--scope', 'path', '-d', '0'])
    for (const depth of ['0', '2']) await callCrawl([...command, '-d', depth, '--force'])
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(['/a/', '/b/', '/b/1'])
  })

  it('with a wider scope and then a greater --depth', async () => {
    const site = await serveSite({
      '/a/': links('/a/1'),
      ...{ '/a/1': links('/b/'), '/b/': links('/c/'), '/c/': '' },
    })
    const command = [`${site.url}/a/`, ...kept()]
    await callCrawl([...command, '-d', '1', '--scope', 'path'])
    await callCrawl([...command, '-d', '1', '--force'])
    await callCrawl([...command, '-d', '2', '--force'])
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(['/a/', '/a/1', '/b/'])
  })

  it('with the links of duplicate pages', async () => {
    const copy = links('next')
    const site = await serveSite({
      ...{ '/': links('/a/', '/b/'), '/a/': copy, '/b/': copy, '/a/next': '1', '/b/next': '2' },
    })
    const dedup = ['--content-dedup', 'exact', '--concurrency', '1']
    await callCrawl(crawlOf(site, ...dedup, '--no-follow-duplicates'))
    expect(await pathsIn(path('out.jsonl'), site)).toHaveLength(4)
    const { code, stderr } = await callCrawl(crawlOf(site, ...dedup, '--force'))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const all = ['/', '/a/', '/a/next', '/b/', '/b/next']
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(all)
  })

  it('even if it is killed while it rereads pages', async () => {
    let isHeld = false
    const held = Promise.withResolvers<void>()
    const site = await serveSite({
      '/': links('/1', '/2', '/3', '/4'),
      ...Object.fromEntries(
        [1, 2, 3, 4].map((page) => [
          `/${page}`,
          (_: unknown, response: ServerResponse) => {
            response.setHeader('content-type', 'text/html')
            if (isHeld && page === 4) held.resolve()
            else response.end(links(`/${page}/a`))
          },
        ]),
      ),
      ...Object.fromEntries([1, 2, 3, 4].map((page) => [`/${page}/a`, links('/')])),
    })
    await callCrawl(crawlOf(site, '-d', '1'))
    isHeld = true
    const kill = async (child: ChildProcess) => {
      await held.promise
      await until(() => ask(path('state'), 'SELECT url FROM rereads').length === 1)
      child.kill('SIGKILL')
    }
    const deeper = crawlOf(site, '-d', '2')
    const run = await runCrawl([...deeper, '--force'], { onStart: (child) => void kill(child) })
    expect(run.code).toBe(null)
    isHeld = false
    const before = site.requests.length
    expect((await callCrawl(deeper)).code).toBe(0)
    const again = site.requests.slice(before).map(({ url }) => url)
    expect(again.filter((url) => /^\/\d$/.test(url))).toEqual(['/4'])
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(
      ['/', ...[1, 2, 3, 4].flatMap((page) => [`/${page}`, `/${page}/a`])].sort(),
    )
    expect(ask(path('state'), 'SELECT DISTINCT state FROM urls')).toEqual([{ state: 2 }])
  })

  it('in a round of --revisit-after, with records of due URLs only', async () => {
    const site = await serve()
    const round = ['--revisit-after', '1h']
    await callCrawl(crawlOf(site, '-d', '1', ...round))
    alter(
      path('state'),
      "UPDATE visits SET at = 0 WHERE url IN (SELECT id FROM urls WHERE url LIKE '%/2')",
    )
    expect((await callCrawl(crawlOf(site, '-d', '2', ...round, '--force'))).code).toBe(0)
    const paths = await pathsIn(path('out.jsonl'), site)
    const deeper = ['/1/1', '/1/1/1/1', '/no?2', '/notes.txt', '/only-from-no']
    expect(paths).toEqual(['/', '/1', '/2', '/2', '/no', ...deeper].sort())
  })
})

describe('a crawl that continues with narrower settings and --force', () => {
  it('skips waiting URLs that no longer belong, rereads nothing, and lists them with --skipped', async () => {
    const site = await serve()
    const skipped = ['--skipped', path('skipped.jsonl')]
    await callCrawl(crawlOf(site, ...DEEP, ...skipped, '--max-pages', '1'))
    const narrower = ['-d', '9', '--exclude', 'no', ...skipped, '--force']
    expect((await callCrawl(crawlOf(site, ...narrower))).code).toBe(0)
    const paths = await pathsIn(path('out.jsonl'), site)
    expect(paths).toEqual(['/', '/1', '/1/1', '/1/1/1', '/1/1/1/1', '/2'])
    const requested = site.requests.map(({ url }) => url)
    expect(new Set(requested).size).toBe(requested.length)
    const left = await visitsIn(path('skipped.jsonl'))
    expect(left).toContainEqual({
      ...{ url: `${site.url}/no`, via: `${site.url}/`, depth: 1, reason: 'excluded' },
    })
  })
})

describe('a crawl that continues with --force', () => {
  it('lists no skipped URL twice', async () => {
    const site = await serve()
    const skipped = ['--skipped', path('skipped.jsonl')]
    for (const depth of ['1', '2', '3']) {
      await callCrawl(crawlOf(site, '-d', depth, ...skipped, '--force'))
    }
    const lines = await visitsIn(path('skipped.jsonl'))
    expect(lines.filter(({ url }) => url.includes('/private'))).toHaveLength(1)
  })

  it.each(['-q', '--deterministic'])(
    'lists a forbidden URL that is excluded now once: %s',
    async (order) => {
      const site = await serve()
      const settings = ['--skipped', path('skipped.jsonl'), order]
      await callCrawl(crawlOf(site, ...settings))
      const other = ['--ignore-robots', '--exclude-path', '/private']
      await callCrawl(crawlOf(site, ...settings, ...other, '--force'))
      const lines = await visitsIn(path('skipped.jsonl'))
      const ofPrivate = lines.filter(({ url }) => url.includes('/private'))
      expect(ofPrivate).toMatchObject([{ reason: 'robots' }, { reason: 'excluded' }])
    },
  )

  it.each(['-q', '--deterministic'])('follows shorter paths from a new seed: %s', async (order) => {
    const site = await serveSite({
      '/': links('/1'),
      ...{ '/1': links('/2'), '/2': links('/3'), '/3': links('/4'), '/4': '' },
      '/seed': links('/3'),
    })
    const settings = [...kept(), '-d', '3', order]
    await callCrawl([`${site.url}/`, ...settings])
    await callCrawl([`${site.url}/`, `${site.url}/seed`, ...settings, '--force'])
    const last = (await visitsIn(path('out.jsonl'))).at(-1)
    expect(last).toMatchObject({ url: `${site.url}/4`, depth: 2 })
  })

  it('never counts its seeds as duplicates', async () => {
    const site = await serve()
    const counts: unknown[] = []
    for (const depth of ['0', '1', '2']) {
      const log = ['--log-level', 'info', '-o', path('out.jsonl'), '--state', path('state')]
      const { stderr } = await callCrawl([`${site.url}/2`, ...log, '-d', depth, '--force'])
      counts.push(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').skipped.duplicate)
    }
    expect(counts).toEqual([undefined, undefined, undefined])
  })
})

describe('a later round', () => {
  it('visits no URLs that --force has excluded', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '--max-pages', '1', '-w', '1'))
    const narrower = ['--exclude', 'no', '--exclude-path', '/1/1']
    await callCrawl(crawlOf(site, ...narrower, '--force'))
    const visited = await pathsIn(path('out.jsonl'), site)
    await callCrawl(crawlOf(site, ...narrower, '--revisit-after', '0'))
    const twice = [...visited, ...visited].sort()
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(twice)
  })

  it('visits no page again that --force has excluded since its visit', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '--max-pages', '3', '-w', '1', '-c', '1'))
    const narrower = ['--exclude-path', '/1']
    await callCrawl(crawlOf(site, ...narrower, '--force'))
    await callCrawl(crawlOf(site, ...narrower, '--revisit-after', '0'))
    const visited = await pathsIn(path('out.jsonl'), site)
    expect(visited.filter((each) => each === '/1' || each === '/')).toEqual(['/', '/', '/1'])
    const exported = await callCrawl(['state', path('state'), '--export', 'visits'])
    expect(exported.stdout).toContain(`"${site.url}/1"`)
  })
})

it('settings that --force has changed after the end apply to later rounds', async () => {
  const site = await serve()
  await callCrawl(crawlOf(site))
  const before = await pathsIn(path('out.jsonl'), site)
  const narrower = ['--exclude-path', '/1', '--seen', 'exact']
  await callCrawl(crawlOf(site, ...narrower, '--force'))
  const round = await callCrawl(crawlOf(site, ...narrower, '--revisit-after', '0'))
  expect(round).toMatchObject({ code: 0, stderr: '' })
  const after = await pathsIn(path('out.jsonl'), site)
  const kept = before.filter((each) => !each.startsWith('/1'))
  expect(after).toEqual([...before, ...kept].sort())
})

describe('a page that --force has excluded', () => {
  const age = () => alter(path('state'), 'UPDATE visits SET at = at - 7200000')

  it('is due again once a shorter path leads to it', async () => {
    let first = links('/1')
    const site = await serveSite({
      '/': (_, response) => response.setHeader('content-type', 'text/html').end(first),
      ...{ '/1': links('/2'), '/2': '' },
    })
    const round = ['--revisit-after', '0']
    await callCrawl(crawlOf(site, '-d', '2'))
    await callCrawl(crawlOf(site, '-d', '1', '--assets', '--force'))
    await callCrawl(crawlOf(site, '-d', '1', '--assets', ...round))
    first += links('/2')
    await callCrawl(crawlOf(site, '-d', '1', '--assets', ...round))
    const paths = await pathsIn(path('out.jsonl'), site)
    expect(paths.filter((each) => each === '/2')).toEqual(['/2', '/2'])
  })

  it('is not due, until --force includes it again', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '--max-pages', '3', '-w', '1', '-c', '1'))
    const narrower = ['--exclude-path', '/1', '--revisit-after', '1h']
    await callCrawl(crawlOf(site, ...narrower, '--force'))
    age()
    await callCrawl(crawlOf(site, ...narrower))
    alter(
      path('state'),
      `UPDATE visits SET at = 0 WHERE url IN (SELECT id FROM urls WHERE url = '${site.url}/1')`,
    )
    const settings = ['-o', path('out.jsonl'), '--state', path('state'), '--log-level', 'info']
    const command = [`${site.url}/`, ...settings, ...narrower]
    expect((await callCrawl(command)).stderr).toContain('none of which is due')
    await callCrawl(crawlOf(site, '--revisit-after', '1h', '--force'))
    const paths = await pathsIn(path('out.jsonl'), site)
    expect(paths.filter((each) => each === '/1')).toEqual(['/1', '/1'])
  })
})

describe('a higher --max-per-host', () => {
  it('continues a finished crawl with the URLs beyond the old limit', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '--max-per-host', '2'))
    expect(await pathsIn(path('out.jsonl'), site)).toHaveLength(2)
    expect(await callCrawl(crawlOf(site, '--max-per-host', '99'))).toMatchObject({ code: 0 })
    expect(await pathsIn(path('out.jsonl'), site)).toEqual(await pathsOf(site))
    const settings = ['-o', path('out.jsonl'), '--state', path('state'), '--max-per-host', '99']
    const again = await callCrawl([`${site.url}/`, ...settings])
    expect(again.stderr).toContain('this crawl is finished')
  })
})

describe('changed settings', () => {
  const advice = async (...args: readonly string[]) =>
    (await callCrawl(args)).stderr.split('; ').at(-1)

  it('are reported with the effect of --force', async () => {
    const site = await serve()
    await callCrawl(crawlOf(site, '-d', '1'))
    const nothing =
      'it is finished, and --force would only change its later rounds: another --state begins a new crawl\n'
    expect(await advice(...crawlOf(site, '-d', '1', '--text'))).toBe(nothing)
    expect(await advice(...crawlOf(site, '-d', '0'))).toBe(nothing)
    expect(await advice(...crawlOf(site, '-d', '2'))).toBe(
      '--force continues with the current settings, and reads pages again whose links lead further\n',
    )
    expect(await advice(...crawlOf(site, '-d', '1', '--no-traps'))).toBe(
      '--force continues with the current settings\n',
    )
    // The file would lack the URLs that earlier runs skipped.
    expect(await advice(...crawlOf(site, '-d', '1', '--skipped', path('skipped.jsonl')))).toBe(
      'earlier runs kept no list of skipped URLs: crawl again without --state, or with another one, and with another -o\n',
    )
  })
})
