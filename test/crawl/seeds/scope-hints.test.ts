import { mkdtempSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callCrawl } from '../../support/call-cli.ts'
import { serveSite, startSite } from '../../support/crawl-site.ts'

/** Returns the log lines that contain a word, without the URL of the site. */
async function logged(word: string, url: string, ...args: readonly string[]) {
  const { stderr } = await callCrawl([...args, '--log-level', 'info', '--log-format', 'text'])
  const lines = stderr.replaceAll(url, '').split('\n')
  return lines.filter((line) => line.includes(word))
}

const urlset = (...urls: readonly string[]) =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

it('a warning says that the only seed is a page without links, which may need a browser', async () => {
  const { url } = await serveSite({
    '/': '<div id=app></div><script src=/app.js></script>',
    '/old': (_, response) => void response.writeHead(302, { location: '/' }).end(),
    '/linked': '<a href=https://other.test/>elsewhere</a>',
    '/gone': (_, response) =>
      void response.writeHead(404, { 'content-type': 'text/html' }).end('none'),
    '/text': (_, response) => void response.setHeader('content-type', 'text/plain').end('text'),
  })
  const hints = (...args: readonly string[]) => logged('has no links', url, ...args)
  const hint = / \/ has no links; if scripts build the page, a crawl with --render auto finds them$/
  expect(await hints(`${url}/`)).toEqual([expect.stringMatching(hint)])
  expect(await hints(`${url}/old`)).toEqual([expect.stringMatching(hint)])
  for (const page of ['linked', 'gone', 'text']) expect(await hints(`${url}/${page}`)).toEqual([])
  expect(await hints(`${url}/`, '-d', '0')).toEqual([])
  expect(await hints(`${url}/`, `${url}/old`)).toEqual([])
})

it('one warning says that all URLs of a sitemap are outside the scope', async () => {
  const foreign = urlset('https://www.site.test/a', 'https://www.site.test/b')
  const pages = { '/': '<p>Home</p>', '/sitemap.xml': foreign, '/sitemap-2.xml': foreign }
  const { url } = await serveSite({ ...pages, '/some.xml': urlset('https://www.site.test/', '/') })
  const seeds = ['/sitemap.xml', '/sitemap-2.xml'].map((path) => url + path)
  const lines = await logged('outside the scope', url, ...seeds, '--sitemaps')
  expect(lines).toEqual([
    expect.stringMatching(
      /All URLs of the sitemap \/sitemap\S*\.xml are outside the scope, such as https:\/\/www\.site\.test\/a: another --scope, or a seed there, would crawl them$/,
    ),
  ])
  expect(await logged('outside the scope', url, `${url}/some.xml`, '--sitemaps')).toEqual([])
})

it('a warning says that a rule merges the target of a redirecting seed with the seed', async () => {
  const site = await serveSite({
    '/a': (_, response) => void response.writeHead(301, { location: '/a/' }).end(),
    '/a/': 'x',
  })
  const [seed, flag] = [`${site.url}/a`, '--canonicalize']
  const lines = await logged('not requested', site.url, seed, flag, 'strip-trailing-slash')
  expect(lines).toEqual([
    expect.stringContaining(
      '/a redirects to /a/, which is the same URL by --canonicalize strip-trailing-slash, so it is not requested',
    ),
  ])
  expect(await logged('not requested', site.url, seed, flag, 'strip-index')).toEqual([])
})

it('a warning says that the redirects of a seed lead back to it, and which cookies may help', async () => {
  const to = (location: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location }).end()
  const pair = { '/b': to('/c'), '/c': to('/b') }
  const three = { '/f': to('/g'), '/g': to('/h'), '/h': to('/f') }
  const site = await serveSite({ '/a': to('/a'), ...pair, '/d': to('/e'), ...three })
  const lines = (path: string, ...flags: readonly string[]) =>
    logged('no page', site.url, `${site.url}${path}`, ...flags)
  const warning = (text: string) => [expect.stringMatching(new RegExp(` ${text}$`))]
  const twice =
    'run the command twice with --cookies <file>: the second run sends those of the first'
  const self =
    '/a redirects to itself, so it leads to no page; if the site needs its cookies, add --cookies'
  const each = '/b and /c redirect to each other, so they lead to no page'
  const back = '/f redirects back to itself by 2 other URLs, so it leads to no page'
  expect(await lines('/a')).toEqual(warning(self))
  expect(await lines('/b')).toEqual(warning(`${each}; if the site needs its cookies, ${twice}`))
  expect(await lines('/f', '--cookies')).toEqual(
    warning(`${back}; if the site needs its cookies, ${twice}`),
  )
  const file = join(mkdtempSync(join(tmpdir(), 'hints-')), 'jar.txt')
  expect(await lines('/b', `--cookies=${file}`)).toEqual(
    warning(
      `${each}; if the site needs its cookies, run the command again: it sends those of ${file}`,
    ),
  )
  expect(await lines('/a', '--cookies')).toEqual(
    warning('/a redirects to itself, so it leads to no page'),
  )
  expect(await lines('/d')).toEqual([])
})

it('a warning says that --scope path includes the whole host for a seed like /docs without a slash', async () => {
  const site = await startSite({ '/docs': 'x', '/docs/': 'x', '/a.html': 'x', '/': 'x' })
  const lines = (path: string, scope = 'path') =>
    logged('--scope path', site.url, `${site.url}${path}`, '--scope', scope)
  expect(await lines('/docs')).toEqual([
    expect.stringContaining(
      `the directory of /docs is /, so all of ${new URL(site.url).host} is in the scope; with a final slash it would be /docs/`,
    ),
  ])
  for (const path of ['/docs/', '/a.html', '/']) expect(await lines(path), path).toEqual([])
  expect(await lines('/docs', 'host')).toEqual([])
  await site.close()
})
