import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../src/config/schema.ts'
import type { Visit } from '../../src/records/visit.ts'
import { callCrawl } from '../support/call-cli.ts'
import { crawlSite, serveSite, startSite } from '../support/crawl-site.ts'
import type { CrawlRun } from '../support/run-cli.ts'
import type { SiteServer } from '../support/site-server.ts'
import { IN_SOAK } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'
import { runAndLog } from './run-and-log.ts'

const inFolder = useFolder()
const RENDER = { render: 'always', workers: 2, renderTimeout: '5s' } as const satisfies ConfigInput

function script(code: string) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
  }
}

const ADD = `const add = (href, text = '') => document.body.insertAdjacentHTML('beforeend', '<a href="' + href + '">' + text + '</a>');`

/** A site whose pages get their links only from a script that all share. */
const MENU = {
  '/menu.js': script(`${ADD} add('/a', 'Menu'); add('/b'); document.title += ', rendered'
    document.querySelector('h1')?.append('script')`),
  '/head.js': script(`document.querySelector('meta').content = 'noindex'
    document.querySelector('link').href = '/sent'`),
  '/': '<title>Home</title><body><h1>By </h1><a href=/sent>x</a><img src=/i.png><script src=/menu.js></script>',
  '/a': '<body><p>A</p><script src=/menu.js></script>',
  '/b': '<head><meta name=robots content=nofollow><link rel=canonical href=/a></head><body><script src=/head.js></script><script src=/menu.js></script><script src=/forbidden.js></script>',
  '/sent': '<p>static',
  '/robots.txt': (_: IncomingMessage, response: ServerResponse) =>
    void response.end('User-agent: *\nDisallow: /forbidden'),
}

describe('--render auto', () => {
  it('renders few pages, misses no link, and renders the same pages with --deterministic', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `/${n}`)
    const pages = names.map((name) => [
      name,
      `<title>${name}</title><script src=/menu.js></script>`,
    ])
    const links = names.map((name) => `<a href=${name}>x</a>`).join('')
    const app = '<body><script src=/app.js></script>'
    const site = await serveSite({
      ...Object.fromEntries(pages),
      '/': `<body>${links}<script src=/menu.js></script>`,
      '/menu.js': script(`onload = () => { ${ADD} add('/plain'); add('/app/') }`),
      '/app.js': script(
        `${ADD} add('/app/1'); add('/app/2'); if (location.pathname === '/app/1') add('/app/1/more')`,
      ),
      ...{ '/plain': 'x', '/app/': app, '/app/1': app, '/app/2': app, '/app/1/more': app },
    })
    const run = () =>
      crawlSite(site, { ...RENDER, render: 'auto', deterministic: true, traps: false, depth: 5 })
    const first = await run()
    if (IN_SOAK) expect((await run()).visits).toEqual(first.visits)
    const rendered = first.visits.flatMap((visit) => (visit.rendered ? [visit] : []))
    const paths = rendered.map(({ url }) => url.slice(site.url.length))
    expect(paths.filter((path) => !path.startsWith('/app'))).toEqual(
      // The first page brought new links, the next three none; then the eighth is checked.
      ['/', '/0', '/1', '/2', '/6'],
    )
    expect(first.byPath.get('/app/1/more')).toMatchObject({ rendered: true })
    expect(rendered[0]).not.toHaveProperty('renderMs')
    expect(first.summary.rendering).toEqual({
      rendered: rendered.length,
      unrendered: { 'no-scripts': expect.any(Number), 'template-static': expect.any(Number) },
    })
  })
})

/** A single-page app with its routes in the fragments of its URLs. */
const APP = {
  '/app': `<body><script>
    const show = () => { document.body.innerHTML = location.hash === '#/b'
        ? '<a href="#/c/ü">c</a><a href="#part">part</a>'
        : '<a href="#/b">b</a><a href="#!/b">b</a>'; document.title = location.hash }
    onhashchange = show; show()</script>`,
  '/': '<a href="/app#top">app</a>',
  '/robots.txt': (_: IncomingMessage, response: ServerResponse) =>
    void response.end('User-agent: *\nDisallow: /*c'),
}

/** A site whose first page uses up all memory. */
const GREEDY = {
  '/': `<body><a href=/a>a</a><script>
    const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5))</script>`,
  '/a': 'x',
}

/** A site whose page loads scripts and frames from a private address, and two excluded scripts. */
const prying = (url: string) => ({
  '/': `<body><script src=${url}/p.js></script><script src=/mine.js></script><script src=/tracker.js></script><script src=/ads/a.js></script>
    <iframe src=${url}/f></iframe><script>fetch('${url}/x', { mode: 'no-cors' })
    fetch('/api', { method: 'POST' }); navigator.sendBeacon('/count')</script>`,
  ...{ '/mine.js': script(''), '/tracker.js': script(''), '/ads/a.js': script('') },
})

function page(headers: Readonly<Record<string, string>>, html: string) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, headers).end(html)
  }
}

/** A site with pages in UTF-8 that a browser would not read as such, or not as HTML. */
const UNDECLARED = {
  '/': page({ 'content-type': 'text/html' }, '<title>Grüße</title><a href=/untyped>x</a>'),
  '/untyped': page({ 'x-content-type-options': 'nosniff' }, '<!DOCTYPE html><title>Größe</title>'),
}

/** A site with scripts that fail: always, at their first request, or in the middle of it. */
function failing(): Parameters<typeof startSite>[0] {
  const adds = (name: string) => `{ ${ADD} add('/by-${name}') }`
  const page =
    '<body><script src=/busy.js></script><script src=/cut.js></script><script src=/never.js></script>'
  let [isBusy, isCut] = [true, true]
  return {
    ...{ '/': `${page}<a href=/a>a</a>`, '/a': page },
    '/busy.js': (request, response) => {
      if (isBusy) response.writeHead(429, { 'retry-after': '1' }).end()
      else script(adds('busy'))(request, response)
      isBusy = false
    },
    '/cut.js': (request, response) => {
      if (!isCut) return script(`${adds('cut')}; // the end`)(request, response)
      isCut = false
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': 1_000 })
      response.write(adds('part'), () => response.destroy())
    },
    '/never.js': (_, response) => void response.writeHead(500).end(),
  }
}

/** A site with a page that responds with the secrets of its request, which a page of another site reads. */
const SECRETS: Parameters<typeof startSite>[0] = {
  '/': '<iframe src=/own></iframe>',
  '/own': "<script>fetch('/data')</script>",
  '/data': ({ headers: { cookie, authorization, ...headers } }, response) => {
    response.writeHead(200, { 'access-control-allow-origin': '*', 'set-cookie': 'a=1' })
    response.end([cookie, authorization, headers['x-key']].join())
  },
}
const reader = (url: string) => ({
  '/': `<body><script>${ADD} fetch('${url}/data').then((data) => data.text()).then((text) => add('/' + text))</script>`,
})

/** A site with a login, whose first page loads what logs out, and what leads to the login page. */
const LOCKED: Parameters<typeof startSite>[0] = {
  '/': "<body><iframe src=/logout></iframe><script>fetch('/data.json')</script>",
  '/login': '<form method=post action=/session><input name=user></form>',
  '/session': (_, response) =>
    void response.writeHead(303, { location: '/', 'set-cookie': 'member=1; Path=/' }).end(),
  '/data.json': (_, response) =>
    void response.writeHead(302, { location: '/login?next=/data.json' }).end(),
}

/** Returns the paths that were requested, each with the header that is sent to origins of seeds. */
function keysOf({ requests }: SiteServer): (readonly unknown[])[] {
  return requests.map(({ url, headers }) => [url, headers['x-key']]).toSorted()
}

describe('--render always', () => {
  type Name =
    | 'menu'
    | 'app'
    | 'greedy'
    | 'prying'
    | 'undeclared'
    | 'failing'
    | 'secrets'
    | 'reader'
    | 'locked'
  const sites = new Map<Name, SiteServer>()
  let privateSite: SiteServer
  let run: CrawlRun
  let visits: readonly Visit[]

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    const cookies = join(folder, 'cookies.txt')
    const cookie = '127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tsecret\n'
    await writeFile(cookies, `# Netscape HTTP Cookie File\n${cookie}`)
    privateSite = await startSite({ '/p.js': script('') }, '127.0.0.3')
    const simple = {
      menu: MENU,
      app: APP,
      undeclared: UNDECLARED,
      greedy: GREEDY,
      secrets: SECRETS,
    }
    const pages = { ...simple, locked: LOCKED, failing: failing(), prying: prying(privateSite.url) }
    for (const [name, answers] of Object.entries(pages)) {
      sites.set(name as Name, await startSite(answers))
    }
    sites.set('reader', await startSite(reader(sites.get('secrets')?.url ?? ''), '127.0.0.2'))
    const seeds = [...sites.values()].map(({ url }) => `${url}/`)
    const login = join(folder, 'login.json')
    const form = { url: `${sites.get('locked')?.url}/login`, fields: { user: 'me' } }
    await writeFile(login, JSON.stringify({ ...form, check: { cookie: 'member' } }))
    const own = ['--auth', 'me:password', '--cookies', cookies, '--login', login]
    const secrets = ['-H', 'x-key: secret', ...own]
    const requests = ['--exclude', 'tracker', '--exclude-path', '/ads', '--retries', '1', '-w', '2']
    // Until it has used up all memory.
    const limits = ['--render', 'always', '--render-timeout', '60s']
    const outputs = ['-v', '--log-format', 'text', '--text', '--extract', 'h=h1']
    run = await callCrawl([...seeds, ...secrets, ...requests, ...limits, ...outputs])
    visits = run.visits
    await rm(folder, { recursive: true })
  })

  afterAll(() => Promise.all([privateSite, ...sites.values()].map((site) => site.close())))

  /** Returns a site, and the visits to it by their paths. */
  function crawledSite(name: Name): [SiteServer, ReadonlyMap<string, Visit>] {
    const site = sites.get(name)
    if (site === undefined) throw new Error(`${name} is not served`)
    const ofSite = visits.filter(({ url }) => url.startsWith(site.url))
    return [site, new Map(ofSite.map((visit) => [visit.url.slice(site.url.length), visit]))]
  }

  it('finds links that only scripts add, and requests what they need once, if robots.txt allows', () => {
    const [site, byPath] = crawledSite('menu')
    expect([...byPath.keys()].toSorted()).toEqual(['/', '/a', '/b', '/sent'])
    expect(byPath.get('/')).toMatchObject({
      ...{ title: 'Home, rendered', links: 3, discovered: 3, rendered: true, renderedLinks: 2 },
      ...{ charset: 'utf-8', bytes: MENU['/'].length, renderMs: expect.any(Number) },
      data: { h: 'By script', text: expect.stringContaining('Menu') },
    })
    expect(byPath.get('/')).toMatchObject({ rawTitle: 'Home', textLength: 15, rawTextLength: 4 })
    const robots = { robots: 'noindex', noindex: true, rawRobots: 'nofollow' }
    const canonical = { canonical: `${site.url}/sent`, rawCanonical: `${site.url}/a` }
    expect(byPath.get('/b')).toMatchObject({ rawTitle: '', ...robots, ...canonical })
    const unchanged = { textLength: 6, rawTitle: undefined, rawTextLength: undefined }
    expect({ ...unchanged, ...byPath.get('/sent') }).toMatchObject(unchanged)
    expect(byPath.get('/sent')).toMatchObject({ rendered: true, renderedLinks: 0, links: 0 })
    const requested = site.requests.map(({ method, url }) => `${method} ${url}`).toSorted()
    const paths = ['/', '/a', '/b', '/head.js', '/menu.js', '/robots.txt', '/sent']
    expect(requested).toEqual(paths.map((path) => `GET ${path}`))
  })

  it('treats routes of single-page apps as pages, and requests their document', () => {
    const [site, byPath] = crawledSite('app')
    const routes = ['/app', '/app#!/b', '/app#/b', '/app#/c/%C3%BC']
    expect([...byPath.keys()].toSorted()).toEqual(['/', ...routes])
    expect(byPath.get('/app#/b')).toMatchObject({ title: '#/b', renderedLinks: 2 })
    expect(new Set(site.requests.map(({ url }) => url))).toEqual(
      new Set(['/', '/app', '/robots.txt']),
    )
  })

  it('reads pages that declare neither type nor encoding as it does without a browser', () => {
    const [, byPath] = crawledSite('undeclared')
    expect(byPath.get('/')).toMatchObject({ rendered: true, title: 'Grüße' })
    expect(byPath.get('/untyped')).toMatchObject({ rendered: true, title: 'Größe' })
  })

  it('parses the received page, with an error, if it crashes while it is rendered', () => {
    const [, byPath] = crawledSite('greedy')
    expect(byPath.get('/')).toMatchObject({
      status: 200,
      links: 1,
      error: { code: 'render-failed' },
    })
    expect(byPath.get('/')).not.toHaveProperty('rendered')
    expect(byPath.get('/a')).toMatchObject({ rendered: true })
  })

  it('requests no private address, obeys --exclude and --exclude-path, and its log with -v says so', () => {
    const [site, byPath] = crawledSite('prying')
    expect(byPath.get('/')).toMatchObject({ rendered: true })
    expect(privateSite.requests).toEqual([])
    expect(keysOf(site)).toEqual([
      ['/', 'secret'],
      ['/mine.js', 'secret'],
      ['/robots.txt', 'secret'],
    ])
    for (const [path, reason] of [
      ['/ads/a.js', 'it is excluded'],
      ['/api', 'only GET requests are made, not POST'],
    ]) {
      const line = `Did not load ${site.url}${path} for a rendered page: ${reason}\n`
      expect(run.stderr).toContain(line)
    }
    const { url } = crawledSite('menu')[0]
    const forbidden = `Did not load ${url}/forbidden.js for a rendered page: robots.txt forbids it\n`
    expect(run.stderr).toContain(forbidden)
    expect(run.stderr).not.toContain('/count')
  })

  it('gets files whose server fails at first, and waits only once for those that always fail', () => {
    const [site, byPath] = crawledSite('failing')
    expect([...byPath.keys()].toSorted()).toEqual(['/', '/a', '/by-busy', '/by-cut'])
    const times = (path: string) => site.requests.filter(({ url }) => url === path).length
    expect(['/busy.js', '/cut.js', '/never.js'].map(times)).toEqual([2, 2, 3])
  })

  it('shows a page of another site nothing that only the login shows', () => {
    const [{ requests }] = crawledSite('secrets')
    expect([...crawledSite('reader')[1].keys()]).toContain('/,,')
    const cookies = requests.flatMap(({ url, headers }) =>
      url === '/data' ? [headers.cookie] : [],
    )
    expect(cookies).toHaveLength(2)
    expect(cookies.filter((cookie) => cookie?.includes('session=secret'))).toHaveLength(1)
  })

  it('loads neither the login page nor what logs out, and a warning says so', () => {
    const [site] = crawledSite('locked')
    const login = `${site.url}/login?next=/data.json`
    expect(run.stderr).toContain(`A request of a rendered page led to the login page ${login}`)
    const paths = site.requests.map(({ url }) => url)
    expect(paths).toContain('/data.json')
    expect(paths.filter((path) => /log(in|out)/.test(path))).toEqual(['/login'])
  })

  it("reports a browser that can't be started", async () => {
    const config = { ...RENDER, seeds: ['http://127.0.0.1/'] }
    const missing = runAndLog({ ...config, browser: '/nowhere/chromium' })
    await expect(missing).rejects.toThrow(
      'browser: expected the path of a program, or its name on the PATH, and found no `/nowhere/chromium`',
    )
    const site = await serveSite({ '/': 'x' })
    const broken = runAndLog({ ...config, seeds: [site.url], browser: '/bin/false' })
    await expect(broken).rejects.toThrow('browser: /bin/false: the browser ended with code 1')
    const browser = inFolder('chromium')
    const fatal =
      '[1:1:FATAL:zygote_host.cc(128)] No usable sandbox! You can try using --no-sandbox.'
    await writeFile(browser, `#!/bin/sh\necho '${fatal}' >&2; exit 1`, { mode: 0o755 })
    await chmod(inFolder(), 0o755)
    const unsafe = runAndLog({ ...config, seeds: [site.url], browser })
    await expect(unsafe).rejects.toThrow('its sandbox cannot start: allow unprivileged user')
  })
})

it('a page without --render is not rendered, and costs no requests', async () => {
  const site = await serveSite(MENU)
  const { byPath } = await crawlSite(site)
  expect([...byPath.keys()]).toEqual(['/', '/sent'])
  expect(byPath.get('/')).not.toHaveProperty('rendered')
  expect(site.requests).toHaveLength(3)
})
