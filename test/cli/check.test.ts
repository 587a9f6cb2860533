import { readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl as callCrawlIn } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { type SiteServer, startServer } from '../support/site-server.ts'
import { useFolder } from '../support/state-run.ts'

const PAGES: Readonly<Record<string, string>> = {
  '/': `<a href="/a#here">1</a> <a href="/a#gone">2</a> <a href="/missing">3</a> <a href="/old">4</a>
    <a href="/lost">5</a> <a href="mailto:a@b.test">6</a> <a href="http://[">7</a>`,
  '/a': '<h1 id="here">A</h1> <a href="/missing#x">8</a> <a rel="nofollow" href="/no">9</a>',
}
const MOVED: Readonly<Record<string, string>> = { '/old': '/a', '/lost': '/missing' }

/** Statuses that another host responds with, to HEAD and to GET. */
const OTHERS: Readonly<Record<string, readonly [head: number, get: number]>> = {
  '/fine': [200, 500],
  '/no-head': [405, 200],
  '/gone': [404, 410],
}

let site: SiteServer
let other: SiteServer
const path = useFolder()
/** Runs the command in a directory without a config file. */
const callCrawl = (args: readonly string[]) => callCrawlIn(args, '', { cwd: path() })
const missing = (url: string) => `  broken    ${url}  404 Not Found`
const flags = ['--allow-private', '-w', '1']
/** The start of an image. Nothing else of it is checked. */
const GIF = 'GIF89a'

beforeAll(async () => {
  other = await startServer(
    ({ url = '', method }, response) => {
      const [head, get] = OTHERS[url] ?? [404, 404]
      if (url === '/away') response.writeHead(302, { location: '/fine' }).end()
      else response.writeHead(method === 'HEAD' ? head : get).end('not to be read')
    },
    { host: '127.0.0.2' },
  )
  site = await startServer(({ url = '' }, response) => {
    const location = MOVED[url]
    const links = ['/fine', '/no-head', '/gone', '/away'].map(
      (to) => `<a href="${other.url}${to}">`,
    )
    const page = url === '/' || url === '/a' ? `${PAGES[url]}${links.join('')}` : undefined
    if (location !== undefined) response.writeHead(301, { location }).end()
    else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  return () => Promise.all([site.close(), other.close()])
})

describe('crawl check', () => {
  it('reports problems page by page, then redirects; checks other sites once with HEAD; exits with 8', async () => {
    const junit = join(path(), 'links.xml')
    const run = await callCrawl(['check', `${site.url}/`, ...flags, '--junit', junit])
    expect(run.stderr).toBe('')
    const { url } = site
    const pages = run.stdout.split('\n\n')
    expect(pages[0]?.split('\n')).toEqual([
      `${url}/`,
      `  fragment  ${url}/a#gone  no such fragment in the page`,
      `  broken    ${url}/missing  404 Not Found`,
      `  broken    ${url}/lost  404 Not Found at ${url}/missing`,
      `  broken    ${other.url}/gone  410 Gone`,
      '  broken    http://[  invalid-url: expected a URL',
    ])
    expect(pages[1]?.split('\n')).toEqual([
      `${url}/a`,
      `  broken    ${url}/missing#x  404 Not Found`,
      `  broken    ${other.url}/gone  410 Gone`,
    ])
    expect(pages[2]?.split('\n')).toEqual([
      `${url}/`,
      `  redirect  ${url}/old  301 Moved Permanently to ${url}/a`,
    ])
    expect(pages[3]).toBe(
      '16 links on 2 pages: 15 checked, 1 not checked. 6 broken, 1 missing fragment, 3 redirects (2 temporary, not listed).\n' +
        'URLs that were not checked: 1 marked nofollow.\n',
    )
    expect(run.code).toBe(8)
    const requested = other.requests.map((request) => request.url).toSorted()
    expect(requested).toEqual([
      ...['/away', '/fine', '/gone', '/gone', '/no-head', '/no-head', '/robots.txt'],
    ])
    const xml = await readFile(junit, 'utf8')
    expect(xml.match(/<failure /g)).toHaveLength(7)
    expect(xml).toContain(`<testcase classname="${url}/" name="${url}/a#gone">`)
  })

  it.each(['--seeds', '--config'])(
    'refuses to overwrite the file of %s with JUnit XML',
    async (flag) => {
      const file = join(path(), 'input.json')
      const text = flag === '--seeds' ? site.url : JSON.stringify({ seeds: [site.url] })
      await writeFile(file, text)
      const run = await callCrawl(['check', flag, file, '--junit', file, '--overwrite', ...flags])
      const message = `crawl: ${file}: expected a separate file, got the same file as ${file}\n`
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: message })
      expect(await readFile(file, 'utf8')).toBe(text)
    },
  )

  it('prints a JSON object, and fails only for the problems of --fail-on', async () => {
    const args = ['check', `${site.url}/a`, '--scope', 'path', '--no-external', ...flags]
    const run = await callCrawl([...args, '-f', 'json', '--fail-on', 'redirect', '-d', '0'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toEqual({
      ...{ pages: 1, links: 6, images: 0, distinctImages: 0, broken: 0, fragment: 0, redirect: 0 },
      ...{
        unchecked: { 'out-of-scope': 4, nofollow: 1, depth: 1 },
        ...{ checkedLinks: 0, uncheckedLinks: 6, uncheckedImages: 0, truncatedPages: [] },
        reason: 'finished',
        findings: [],
      },
    })
  })

  it('reports images only, with --only-images', async () => {
    const shown = '/ok.png 2x'
    const html = `<a href=/gone>1</a><img src=http://[><a href=/both.png><img src=/both.png></a><script src=/gone.js></script>
      <img src=/none.png srcset="${shown}, /none2.png 3x"><video poster=/poster.jpg src=/film.mp4></video>
      <picture><source srcset=/wide.webp></picture><audio><source src=/a.ogg></audio>
      <link rel=stylesheet href=/a.css><link rel=icon href=/icon.ico><svg><image href=/in.svg /><use href=/u.svg#x /></svg>
      <input type=image src=/button.gif><input src=/no.gif><table background=/back.gif><img src=data:,x>`
    const { url } = await serveSite({ '/': html, '/ok.png': (_, response) => response.end(GIF) })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    const lines = run.stdout.replaceAll(url, '').split('\n')
    const missing = ['back.gif', 'both.png', 'button.gif', 'icon.ico', 'in.svg', 'none.png']
    const more = ['none2.png', 'poster.jpg', 'wide.webp']
    expect(lines.slice(1, -3).sort()).toEqual([
      ...[...missing, ...more].map((name) => `  broken    /${name}  404 Not Found`),
      '  broken    http://[  invalid-url: expected a URL',
    ])
    expect(lines.slice(-3)).toEqual([...['', '11 images on 1 page checked. 10 broken.', '']])
    expect(run.code).toBe(8)
    const ok = await serveSite({
      '/': '<a href=/gone>x</a><img src=/ok.png>',
      '/ok.png': (_, response) => response.end(GIF),
    })
    const args = ['check', `${ok.url}/`, ...flags]
    expect((await callCrawl([...args, '--only-images'])).code).toBe(0)
    const { findings } = JSON.parse((await callCrawl([...args, '-f', 'json'])).stdout)
    expect(findings).toEqual([expect.not.objectContaining({ image: true })])
    const json = await callCrawl(['check', `${url}/`, ...flags, '-f', 'json', '--only-images'])
    const all: { image: true }[] = JSON.parse(json.stdout).findings
    expect(all.filter(({ image }) => image)).toHaveLength(10)
  })

  it("reports an image whose response is an HTML page or empty, and doesn't crawl that page", async () => {
    const png = (body: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(body)
    const { url } = await serveSite({
      '/': '<img src=/html.png><img src=/empty.png><img src=/moved.png><img src=/ok.png><a href=/b>',
      '/b': '<img src=/html.png><a href=/empty.txt>',
      '/html.png': '<p>Not found',
      '/moved.png': (_, response) => void response.writeHead(302, { location: '/b' }).end(),
      ...{ '/empty.png': png(''), '/ok.png': png(GIF), '/empty.txt': png('') },
    })
    const html = 'not-an-image: the response is an HTML page'
    const broken = [
      ...[
        '/',
        `  broken    /html.png  ${html}`,
        '  broken    /empty.png  empty-image: the response has 0 bytes',
      ],
      ...[
        `  broken    /moved.png  302 Found to /b: ${html}`,
        '',
        '/b',
        `  broken    /html.png  ${html}`,
        '',
      ],
    ]
    const run = await callCrawl(['check', `${url}/`, ...flags])
    expect(run.code).toBe(8)
    expect(run.stdout.replaceAll(url, '').split('\n')).toEqual([
      ...[...broken, '7 links on 2 pages checked. 4 broken, 0 missing fragments, 0 redirects.', ''],
    ])
    const images = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    expect(images.stdout.replaceAll(url, '').split('\n')).toEqual([
      ...[...broken, '5 uses of 4 images on 2 pages checked. 4 broken.', ''],
    ])
    const json = await callCrawl(['check', `${url}/`, ...flags, '-f', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ pages: 2, images: 5, distinctImages: 4 })
  })

  it('reports an image whose type and first bytes are not those of an image', async () => {
    const as = (type: string, body: string | Buffer, more = {}) => {
      return (_: unknown, response: ServerResponse) =>
        response.writeHead(200, { 'content-type': type, ...more }).end(body)
    }
    const svg = gzipSync('<?xml version="1.0"?><svg/>')
    const { url } = await serveSite({
      '/': '<img srcset="/json 1x, /text 2x, /garbage.png 3x, /json.png 4x, /gif.png 5x, /gif.txt 6x, /a.svg 7x, /json.svg 8x">',
      ...{ '/json': as('application/json', '{}'), '/text': as('text/plain', 'gone') },
      ...{ '/garbage.png': as('image/png', 'garbage'), '/json.png': as('image/png', '{}') },
      ...{ '/gif.png': as('image/png', GIF), '/gif.txt': as('text/plain', GIF) },
      '/a.svg': as('image/svg+xml', svg, { 'content-encoding': 'gzip' }),
      '/json.svg': as('image/svg+xml', gzipSync('{}'), { 'content-encoding': 'gzip' }),
    })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    const isNone = 'not-an-image: the response is'
    expect(run.stdout.replaceAll(url, '').split('\n')).toEqual([
      ...[
        '/',
        `  broken    /json  ${isNone} application/json`,
        `  broken    /text  ${isNone} text/plain`,
      ],
      `  broken    /garbage.png  ${isNone} image/png, but does not begin like an image`,
      `  broken    /json.png  ${isNone} image/png, but does not begin like an image`,
      `  broken    /json.svg  ${isNone} image/svg+xml, but does not begin like an image`,
      ...['', '8 images on 1 page checked. 5 broken.', ''],
    ])
  })

  it('reports an HTML page in place of an image on another host', async () => {
    const away = await startServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('Sorry'),
      { host: '127.0.0.2' },
    )
    onTestFinished(() => away.close())
    const { url } = await serveSite({ '/': `<img src=${away.url}/a.png><a href=${away.url}/b>` })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    expect(run.stdout).toContain(
      `/a.png  not-an-image: the response is an HTML page\n\n1 image on 1 page`,
    )
  })

  it('accepts images on another host, which it does not read, by their type', async () => {
    const away = await startServer(
      ({ url, method }, response) => {
        const status = url === '/no-head.png' && method === 'HEAD' ? 405 : 200
        response.writeHead(status, { 'content-type': 'image/png' }).end(GIF)
      },
      { host: '127.0.0.2' },
    )
    onTestFinished(() => away.close())
    const html = `<img src=${away.url}/a.png><img src=${away.url}/no-head.png>`
    const { url } = await serveSite({ '/': html })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    expect(run.stdout).toBe('2 images on 1 page checked. 0 broken.\n')
  })

  it('reports the links and images that --no-external left unchecked', async () => {
    const { url } = await serveSite({
      '/': '<img src=http://127.0.0.2:9/a.png><img src=http://127.0.0.2:9/a.png#x><a href=http://127.0.0.2:9/>',
    })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--no-external', '--only-images'])
    expect(run).toMatchObject({
      code: 0,
      stdout: [
        '2 uses of 1 image on 1 page: 0 checked, 1 not checked. 0 broken.',
        'URLs that were not checked: 2 outside the scope.\n',
      ].join('\n'),
    })
    const json = await callCrawl(['check', `${url}/`, ...flags, '--no-external', '-f', 'json'])
    expect(JSON.parse(json.stdout)).toMatchObject({
      unchecked: { 'out-of-scope': 2 },
      uncheckedImages: 1,
    })
  })

  it('checks images in styles of pages, in style sheets, and lazy ones', async () => {
    const css =
      '@import "more.css"; @font-face { src: url(font.woff) } p { background: url(/css.png) }'
    const html = `<link rel=stylesheet href=/s/a.css><style>i { background: url(/head.png) }</style>
      <b style="background:url('/inline.png')"></b><img src=/ok.png data-src=/lazy.png data-srcset="/lazy2.png 2x">
      <template><b style="background:url(/inert.png)"></b></template><div data-bg=/bg.png data-background=dark>
      <meta property=og:image content=/preview.png><link rel=preload as=image imagesrcset="/preload.png 2x">
      <object type=image/png data=/object.png></object><embed type=text/html src=/no.png>`
    const sheet = (text: string) => (_: unknown, response: ServerResponse) =>
      response.writeHead(200, { 'content-type': 'text/css' }).end(text)
    const { url } = await serveSite({
      ...{ '/': html, '/s/a.css': sheet(css), '/s/more.css': sheet('a { mask: url(m.svg) }') },
      '/ok.png': (_, response) => response.end(GIF),
    })
    const run = await callCrawl(['check', `${url}/`, ...flags, '--only-images'])
    const inPage = ['preload', 'object', 'head', 'inline', 'lazy', 'lazy2', 'bg', 'preview']
    expect(run.stdout.replaceAll(url, '').split('\n')).toEqual([
      ...['/', ...inPage.map((name) => missing(`/${name}.png`))],
      ...['', '/s/a.css', missing('/css.png'), '', '/s/more.css', missing('/s/m.svg')],
      ...['', '11 images on 1 page checked. 10 broken.', ''],
    ])
    const whole = await callCrawl(['check', `${url}/`, ...flags])
    expect(whole.stdout.replaceAll(url, '')).toContain(`/s/a.css\n${missing('/s/font.woff')}`)
  })

  it.each([
    [['--fail-on', 'broken,links'], '--fail-on: expected some of broken, fragment, redirect'],
    [['-f', 'xml'], '--format: expected text, json, csv or md'],
  ])('refuses %j', async (more, message) => {
    const run = await callCrawl(['check', `${site.url}/`, ...more])
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toBe(`crawl: ${message}, got \`${more[1]}\`\n`)
  })
})

describe('--links', () => {
  it('writes one line per link of each page, in and out of scope, with the link text', async () => {
    const links = join(path(), 'links.jsonl')
    const run = await callCrawl([`${site.url}/a`, ...flags, '-d', '0', '--links', links])
    expect(run.visits).toHaveLength(1)
    const lines = (await readFile(links, 'utf8')).trimEnd().split('\n')
    const from = `${site.url}/a`
    const outside = ['/fine', '/no-head', '/gone', '/away'].map((end) => other.url + end)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { from, to: `${site.url}/missing#x`, text: '8' },
      { from, to: `${site.url}/no`, text: '9' },
      ...outside.map((to) => ({ from, to })),
    ])
  })
})
