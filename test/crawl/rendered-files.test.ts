import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { startSite } from '../support/crawl-site.ts'
import type { CrawlRun } from '../support/run-cli.ts'
import { gapsOf, type SiteServer } from '../support/site-server.ts'
import { readWarc } from '../warc/read-warc.ts'

const DELAY_MS = 100

function file(contentType: string, body: string) {
  return (_: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-type', contentType)
    response.end(body)
  }
}

const LOADED = ['/data.json', '/f.woff2', '/i.png', '/menu.js', '/s.css']

/** Starts a site of two pages that load the same files, one of them from another site. */
function startRenderedSite(other: string): Promise<SiteServer> {
  const page = `<head><link rel=stylesheet href=/s.css></head><body>
    <script src=/menu.js></script><script src=${other}/o.js></script>`
  return startSite({
    ...{ '/': `${page}<h1>Home</h1>`, '/b': `${page}<h1>B</h1>` },
    '/s.css': file(
      'text/css',
      '@font-face { font-family: f; src: url(f.woff2) } body { font-family: f }',
    ),
    '/menu.js': file(
      'text/javascript',
      `document.body.insertAdjacentHTML('beforeend', '<a href=/b>menu</a><img src=/i.png>'); fetch('/data.json')`,
    ),
    '/data.json': file('application/json', '{"a":1}'),
    '/f.woff2': file('font/woff2', 'no font'),
    ...{ '/i.png': file('image/png', 'no image'), '/robots.txt': '' },
  })
}

describe('a crawl that stores the files of rendered pages', () => {
  let folder: string
  let other: SiteServer
  let site: SiteServer
  let run: CrawlRun

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
    other = await startSite({ '/o.js': file('text/javascript', '') })
    site = await startRenderedSite(other.url)
    const outputs = ['-o', join(folder, 'site.warc.gz'), '--save-bodies', join(folder, 'saved')]
    const requests = ['--delay', `${DELAY_MS}ms`, '-H', 'x-key: secret', '--allow-private']
    run = await callCrawl([site.url, '-q', '--render', 'always', ...outputs, ...requests])
  })

  afterAll(async () => {
    await Promise.all([site.close(), other.close()])
    await rm(folder, { recursive: true })
  })

  it('has each file and robots.txt in the archive once', async () => {
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const records = await readWarc(join(folder, 'site.warc.gz'))
    const names = (type: string) => {
      const ofType = records.filter((record) => record.type === type)
      return ofType.map(({ url }) => url?.replace(site.url, '').replace(other.url, '')).toSorted()
    }
    const stored = ['/', '/b', ...LOADED, '/o.js', '/robots.txt', '/robots.txt'].toSorted()
    expect(names('response')).toEqual(stored)
    expect(names('request')).toEqual(stored)
    expect(names('conversion')).toEqual(['/', '/b'])
    const requested = site.requests.map(({ url }) => url).toSorted()
    expect(requested).toEqual(['/', '/b', ...LOADED, '/robots.txt'].toSorted())
  })

  it('saves the files that the browser loaded', async () => {
    const host = new URL(site.url).host.replace(':', '+')
    const saved = await readFile(join(folder, 'saved', host, 'index.html'), 'utf8')
    expect(saved).toContain('<a href="b.html">menu</a>')
  })

  it('keeps the delay of its hosts', () => {
    expect(Math.min(...gapsOf(site))).toBeGreaterThan(DELAY_MS - 5)
    expect(site.maxConcurrent).toBe(1)
    // A page waits for the files that the page before it loads.
    expect(site.requests.at(-1)?.url).toBe('/b')
  })

  it('sends headers to the origins of its seeds only', () => {
    const keysOf = ({ requests }: SiteServer) => requests.map(({ headers }) => headers['x-key'])
    expect(new Set(keysOf(site))).toEqual(new Set(['secret']))
    expect(keysOf(other)).toEqual([undefined, undefined])
    expect(other.requests.map(({ url }) => url).toSorted()).toEqual(['/o.js', '/robots.txt'])
  })
})

it('the rendered page of another encoding is saved in UTF-8, and its queries stay in its encoding', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const html = `<meta charset=windows-1252><title>Caf\xe9</title>
    <script>document.write('<a href="/p?q=\xe9">x</a>')</script><img src="/\xe9.png">`
  const site = await startSite({
    '/': (_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(html, 'latin1')
    },
    ...{ '/p?q=%E9': 'found', '/%C3%A9.png': file('image/png', 'no image'), '/robots.txt': '' },
  })
  onTestFinished(() => site.close())
  const outputs = ['--assets', '--save-bodies', folder, '--print', '{url}']
  const { stdout } = await callCrawl([
    site.url,
    '-q',
    '--render',
    'always',
    ...outputs,
    '--allow-private',
  ])
  const paths = stdout
    .trim()
    .split('\n')
    .map((url) => url.replace(site.url, ''))
  expect(paths.toSorted()).toEqual(['/', '/%C3%A9.png', '/p?q=%E9'])
  const [host = ''] = await readdir(folder)
  const saved = await readFile(join(folder, host, 'index.html'), 'utf8')
  expect(saved).toMatch(/<meta charset="utf-8"><meta charset=[^>]*><title>Café</)
  expect(saved).toContain('<a href="p%40q%3D%25E9.html">x</a>')
  expect(saved).toContain('<img src="%C3%A9.png">')
})
