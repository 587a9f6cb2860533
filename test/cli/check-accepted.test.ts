import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callCrawl as callCrawlIn } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const callCrawl = (args: readonly string[]) => callCrawlIn(args, '', { cwd: path() })

/** A site whose page links to one URL for each of these statuses, and to a redirect to the last one. */
async function serveStatuses(...statuses: number[]) {
  const hrefs = statuses.map((status) => `/${status}`)
  return serve(({ url = '' }, response) => {
    const [location, status] = [hrefs.at(-1), Number(url.slice(1))]
    if (url === '/moved') response.writeHead(302, { location }).end()
    else if (statuses.includes(status)) response.writeHead(status).end('refused')
    else if (url !== '/') response.writeHead(404).end()
    else {
      const links = [...hrefs, '/moved'].map((href) => `<a href="${href}">${href}</a>`)
      response.writeHead(200, { 'content-type': 'text/html' }).end(links.join())
    }
  })
}

describe('crawl check --accept', () => {
  it('counts links to these statuses as fine, also at the end of redirects', async () => {
    const { url } = await serveStatuses(404, 403, 999)
    const check = (...flags: string[]) => callCrawl(['check', `${url}/`, '-f', 'json', ...flags])
    const { code, stdout } = await check('--accept', '403, 999')
    expect(JSON.parse(stdout)).toMatchObject({ broken: 1, redirect: 1, checkedLinks: 4 })
    expect(JSON.parse(stdout).findings).toMatchObject([
      { problem: 'broken', to: `${url}/404`, status: 404 },
      { problem: 'redirect', to: `${url}/moved`, status: 302, redirectsTo: `${url}/999` },
    ])
    expect(code).toBe(8)
    expect(await check('--accept', '4XX,999')).toMatchObject({ code: 0 })
  })

  it('accepts a status that asks for a longer pause than the crawl waits', async () => {
    const { url } = await serve(({ url: requested }, response) => {
      if (requested === '/busy') response.writeHead(429, { 'retry-after': '3600' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/busy">x</a>')
    })
    const flags = ['--max-retry-after', '10ms', '--accept', '429']
    expect(await callCrawl(['check', `${url}/`, ...flags])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' 0 broken'),
    })
  })

  it.each(['pdf', '200', '40', '403,', ''])('refuses %j', async (typed) => {
    const { code, stderr } = await callCrawl(['check', 'http://127.0.0.1:1/', '--accept', typed])
    expect([code, stderr]).toEqual([
      2,
      `crawl: --accept: expected statuses from 400 to 999, or classes such as 5xx, separated by commas, got \`${typed}\`\n`,
    ])
  })
})

describe('crawl check --baseline', () => {
  it('reports only problems that the file of an earlier check does not have, with or without a byte order mark', async () => {
    const { url } = await serveStatuses(404, 410)
    const before = join(path(), 'before.json')
    const check = (...flags: string[]) => callCrawl(['check', `${url}/`, ...flags])
    const findings = [{ problem: 'broken', from: `${url}/`, to: `${url}/404`, status: 500 }]
    await writeFile(before, `\uFEFF${JSON.stringify({ findings })}`)
    const text = await check('--baseline', before)
    expect(text.stdout).not.toContain('/404')
    expect(text.stdout).toContain(`  broken    ${url}/410  410 Gone\n`)
    expect(text.stdout).toContain(
      ` 2 broken, 0 missing fragments, 0 redirects.\n1 known problem of ${before} not listed.\n`,
    )
    expect(text.code).toBe(8)

    const all = join(path(), 'all.json')
    const json = await check('-f', 'json')
    await writeFile(all, json.stdout)
    const none = await check('--baseline', all, '-f', 'json')
    expect(JSON.parse(none.stdout)).toMatchObject({ broken: 0, known: 3, findings: [] })
    expect(JSON.parse(json.stdout)).not.toHaveProperty('known')
    expect(none.code).toBe(0)
  })

  it.each([
    ['', 'JSON, got a syntax error: Unexpected end of JSON input'],
    ['{"url":"http://a.test/","depth":0}', 'the output of `crawl check -f json`'],
    ['{"findings":[{"problem":"broken","to":1}]}', 'the output of `crawl check -f json`'],
  ])('refuses a file without a report: %j', async (text, expected) => {
    const file = join(path(), 'other.json')
    await writeFile(file, text)
    const run = await callCrawl(['check', 'http://127.0.0.1:1/', '--baseline', file])
    expect([run.code, run.stderr]).toEqual([2, `crawl: ${file}: expected ${expected}\n`])
  })

  it('refuses a missing file', async () => {
    const run = await callCrawl(['check', 'http://127.0.0.1:1/', '--baseline', 'none.json'])
    const expected = 'expected the output of `crawl check -f json`, got no file'
    expect([run.code, run.stderr]).toEqual([2, `crawl: none.json: ${expected}\n`])
  })
})

it('crawl check -f md lists pages that were read in part', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(2000))
  })
  const args = ['check', `${url}/`, '-f', 'md', '--max-body', '1kB']
  expect((await callCrawl(args)).stdout.split('\n').slice(0, 4)).toEqual([
    '1 page read in part (--max-body, or the response ended early), without further links:',
    `- <${url}/>`,
    '',
    '0 links on 1 page checked. 0 broken, 0 missing fragments, 0 redirects.',
  ])
})

it('crawl check -f md prints the problems as a table for comments and job summaries', async () => {
  const hostile = '/a|b<script>'
  const { url } = await serve(({ url: requested }, response) => {
    if (requested === '/moved') response.writeHead(301, { location: '/' }).end()
    else if (requested !== '/') response.writeHead(404).end()
    else {
      const page = `<a href="/moved">1</a><a href="${hostile}">2</a><a href="http://[*x*">3</a>`
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
  })
  const { stdout, code } = await callCrawl(['check', `${url}/`, '-f', 'md'])
  expect(stdout.split('\n')).toEqual([
    '| Problem | Link | Page | Response |',
    '|---|---|---|---|',
    `| redirect | <${url}/moved> | <${url}/> | 301 Moved Permanently to ${url.replaceAll(':', '\\:')}/ |`,
    `| broken | <${url}/a%7Cb%3Cscript%3E> | <${url}/> | 404 Not Found |`,
    `| broken | <http://[*x*> | <${url}/> | invalid-url\\: expected a URL |`,
    '',
    '3 links on 1 page checked. 2 broken, 0 missing fragments, 1 redirect.',
    '',
  ])
  expect(code).toBe(8)
})

it('crawl check -f csv prints all findings as a table for spreadsheets', async () => {
  const { url } = await serve(({ url: requested }, response) => {
    if (requested === '/moved') response.writeHead(302, { location: '/gone' }).end()
    else if (requested === '/new') response.writeHead(302, { location: '/' }).end()
    else if (requested !== '/') response.writeHead(404).end()
    else {
      const page =
        '<a href="/moved">1</a><a href="/new">2</a><a href="http://:=1,2">3</a><img src=/a>'
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
  })
  const { stdout, code } = await callCrawl(['check', `${url}/`, '-f', 'csv', '--deterministic'])
  expect(stdout.split('\n').toSorted()).toEqual(
    [
      'problem,to,from,status,redirectsTo,finalStatus,error,errorMessage,image',
      `broken,${url}/moved,${url}/,302,${url}/gone,404,,,`,
      `redirect,${url}/new,${url}/,302,${url}/,,,,`,
      `broken,"http://:=1,2",${url}/,,,,invalid-url,expected a URL,`,
      `broken,${url}/a,${url}/,404,,,,,true`,
      '',
    ].toSorted(),
  )
  expect(stdout.startsWith('problem,')).toBe(true)
  expect(code).toBe(8)
})

it('crawl check --scope page checks the links of the seeds, and reads no other page', async () => {
  const requested: string[] = []
  const { url } = await serve(({ url: path = '', method }, response) => {
    requested.push(`${method} ${path}`)
    const pages: Record<string, string> = {
      '/': '<a href="/a">1</a><a href="/lost">2</a><a href="#no">3</a><img src="/lost.png">',
      '/a': '<a href="/b">4</a><a href="/lost2">5</a>',
    }
    const page = pages[path]
    if (path === '/old') response.writeHead(302, { location: '/' }).end()
    else if (page === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const { stdout, code } = await callCrawl(['check', `${url}/old`, '--scope', 'page', '--assets'])
  expect(stdout.replaceAll(url, '').split('\n')).toEqual([
    '/',
    '  broken    /lost  404 Not Found',
    '  fragment  /#no  no such fragment in the page',
    '  broken    /lost.png  404 Not Found',
    '',
    '4 links on 1 page checked. 2 broken, 1 missing fragment, 0 redirects.',
    '',
  ])
  expect(code).toBe(8)
  expect(requested).toContain('HEAD /a')
  expect(requested.join()).not.toContain('/b')
})
