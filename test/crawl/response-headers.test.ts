import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { crawlSite, serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

const serveHeaders = () =>
  serveSite({
    '/': (_, response) => {
      const cookies = ['a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2']
      const headers = { 'Last-Modified': 'Tue, 01 Jul 2025 00:00:00 GMT', 'Set-Cookie': cookies }
      const links = ['/file.pdf', '/moved', '/missing'].map((to) => `<a href="${to}">x</a>`)
      response.writeHead(200, { 'content-type': 'text/html', Vary: ['A', 'B'], ...headers })
      response.end(`<title>T</title>${links.join('')}`)
    },
    '/file.pdf': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'application/pdf', 'X-Robots-Tag': 'noindex' })
        .end('%PDF'),
    '/moved': (_, response) =>
      response
        .writeHead(301, { location: '/', 'x-robots-tag': Buffer.from('ü').toString('latin1') })
        .end(),
  })

describe('--response-headers', () => {
  it('adds the headers to the data of each response: pages, files, redirects, errors', async () => {
    const site = await serveHeaders()
    const responseHeaders = ['Last-Modified', 'x-robots-tag', 'set-cookie', 'vary', 'constructor']
    const { byPath } = await crawlSite(site, { responseHeaders })
    expect(byPath.get('/')?.data).toEqual({
      'last-modified': 'Tue, 01 Jul 2025 00:00:00 GMT',
      'set-cookie': ['a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2'],
      vary: 'A, B',
    })
    expect(byPath.get('/file.pdf')?.data).toEqual({ 'x-robots-tag': 'noindex' })
    expect(byPath.get('/moved')?.data).toEqual({ 'x-robots-tag': 'ü' })
    expect(byPath.get('/missing')).not.toHaveProperty('data')
  })

  it('keeps a field of --extract with the same name', async () => {
    const site = await serveHeaders()
    const extract = { vary: 'title', title: 'title' }
    const responseHeaders = ['vary', 'last-modified']
    const { byPath } = await crawlSite(site, { extract, responseHeaders, depth: 0 })
    expect(byPath.get('/')?.data).toEqual({
      ...{ 'last-modified': 'Tue, 01 Jul 2025 00:00:00 GMT', vary: 'T', title: 'T' },
    })
  })

  it('adds a column for each header to CSV, and fields for --print', async () => {
    const { url } = await serveHeaders()
    const file = join(path(), 'visits.csv')
    const flags = ['--response-headers', 'X-Robots-Tag,vary', '-w', '1', '-q']
    await callCrawl([`${url}/`, ...flags, '-o', file])
    const [head = '', ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
    expect(head).toMatch(/,screenshot,data\.x-robots-tag,data\.vary$/)
    expect(rows.find((row) => row.includes('/file.pdf'))).toMatch(/,noindex,$/)
    const print = await callCrawl([`${url}/`, '-d', '0', ...flags, '--print', '{data.vary}'])
    expect(print.stdout).toBe('A, B\n')
  })

  it.each(['', 'a b', 'x-robots-tag:'])('refuses %j', async (names) => {
    const { code, stderr } = await callCrawl(['http://127.0.0.1:1/', '--response-headers', names])
    const expected = 'names of headers, such as last-modified,x-robots-tag'
    expect([code, stderr]).toEqual([
      2,
      `crawl: --response-headers: expected ${expected}, got \`${names}\`\n`,
    ])
  })
})
