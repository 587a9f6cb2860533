import { rmSync } from 'node:fs'
import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callCrawl as callCrawlIn } from '../support/call-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const callCrawl = (args: readonly string[]) => callCrawlIn(args, '', { cwd: path() })

/** A site with links to these paths of another host, which lists the requests that it gets. */
async function serveLinks(...paths: string[]) {
  const requested: string[] = []
  const other = await serve(({ url = '' }, response) => {
    if (url !== '/robots.txt') requested.push(url)
    if (url === '/moved') response.writeHead(301, { location: '/fine' }).end()
    else if (url === '/home') response.writeHead(301, { location: `${site.url}/hidden` }).end()
    else if (url === '/html') response.writeHead(200, { 'content-type': 'text/html' }).end('x')
    else response.writeHead(url.startsWith('/fine') ? 200 : 404).end()
  })
  const site = await serve(({ url }, response) => {
    const links = paths.map((each) =>
      each.startsWith('image:')
        ? `<img src="${other.url}${each.slice(6)}">`
        : `<a href="${other.url}${each}">${each}</a>`,
    )
    const text = url === '/' ? links.join() : 'text'
    response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  })
  const run = (...flags: string[]) =>
    callCrawl(['check', `${site.url}/`, '--allow-private', '--cache', 'links.jsonl', ...flags])
  const check = async (...flags: string[]) => {
    requested.length = 0
    const { code, stdout } = await run('-f', 'json', ...flags)
    return { code, report: JSON.parse(stdout), requested: [...new Set(requested)].toSorted() }
  }
  return { check, other, run, site }
}

describe('crawl check --cache', () => {
  it('does not request links again that worked, and lists their redirects', async () => {
    const { check, other, run } = await serveLinks('/fine', '/moved')
    const first = await check()
    expect(first.requested).toEqual(['/fine', '/moved'])
    const second = await check()
    expect(second).toMatchObject({ code: 0, requested: [], report: { cached: 2, checkedLinks: 2 } })
    expect(second.report.findings).toEqual(first.report.findings)
    expect(second.report.findings).toMatchObject([{ redirectsTo: `${other.url}/fine` }])
    const { stdout } = await run()
    expect(stdout).toContain('2 URLs not requested, since they are in the cache.')
  })

  it('prints what it has found even if the file cannot be written', async () => {
    const site = await serve(({ url }, response) => {
      if (url === '/') rmSync(path('gone'), { recursive: true })
      response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="#none">')
    })
    await mkdir(path('gone'))
    const cache = join('gone', 'links.jsonl')
    const { code, stdout, stderr } = await callCrawl([
      'check',
      `${site.url}/`,
      '-q',
      '--cache',
      cache,
    ])
    expect(stdout).toContain(`fragment  ${site.url}/#none`)
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining(cache) })
  })

  it('requests links again after --cache-age', async () => {
    const { check } = await serveLinks('/fine')
    await check()
    expect((await check('--cache-age', '0')).requested).toEqual(['/fine'])
    expect((await check('--cache-age', '1h')).requested).toEqual([])
  })

  it('requests broken links again, also accepted ones', async () => {
    const { check } = await serveLinks('/fine', '/gone')
    for (const flags of [['--accept', '404'], [], []]) {
      const { code, requested } = await check(...flags)
      expect(requested).toContain('/gone')
      expect(code).toBe(flags.length > 0 ? 0 : 8)
    }
  })

  it('requests a broken image again, but not a page of the same type', async () => {
    const { check } = await serveLinks('image:/html')
    await check()
    expect(await check()).toMatchObject({ code: 8, requested: ['/html'] })
    const pages = await serveLinks('/html')
    await pages.check()
    expect(await pages.check()).toMatchObject({ code: 0, requested: [] })
  })

  it('requests a link again that leads to a page of the site', async () => {
    const { check } = await serveLinks('/home')
    await check()
    expect(await check()).toMatchObject({ requested: ['/home'], report: { pages: 2 } })
  })

  it('judges a link in the scope by its response', async () => {
    const { check, other } = await serveLinks('/fine')
    await check()
    expect((await check(`${other.url}/fine`)).requested).toEqual(['/fine'])
  })

  it('names a damaged line, and leaves the file as it was', async () => {
    const { run } = await serveLinks('/fine')
    const text = '{"url":"http://a.example/","status":200,"time":1}\n{"findings":[]}\n'
    await writeFile(join(path(), 'links.jsonl'), text)
    const { code, stderr } = await run()
    expect(stderr).toContain('links.jsonl, line 2: expected a line of `crawl check --cache`')
    expect(code).toBe(2)
    expect(await readFile(join(path(), 'links.jsonl'), 'utf8')).toBe(text)
  })

  it('refuses a device, which would be replaced by a file', async () => {
    const { run } = await serveLinks('/fine')
    await symlink('/dev/null', join(path(), 'links.jsonl'))
    const { code, stderr } = await run()
    expect(stderr).toContain(
      'links.jsonl: expected a cache file, which is written again at the end',
    )
    expect(code).toBe(2)
    expect((await lstat(join(path(), 'links.jsonl'))).isSymbolicLink()).toBe(true)
  })

  it('does not write through a link that someone put in the place of its draft', async () => {
    const { check } = await serveLinks('/fine')
    await writeFile(join(path(), 'other'), 'kept')
    await symlink('other', join(path(), `links.jsonl.${process.pid}.tmp`))
    expect(await check()).toMatchObject({ code: 0 })
    expect((await check()).requested).toEqual([])
    expect(await readFile(join(path(), 'other'), 'utf8')).toBe('kept')
  })

  it('names the file that cannot be written at the end', async () => {
    const folder = join(path(), 'folder')
    await mkdir(folder)
    const site = await serve((_, response) => {
      void rm(folder, { recursive: true, force: true }).then(() => response.end())
    })
    const file = join(folder, 'links.jsonl')
    const command = ['check', site.url, '--allow-private', '--cache', file]
    const { code, stderr } = await callCrawl(command)
    expect(stderr).toContain(`${file}: can't be written: `)
    expect(code).toBe(5)
  })

  it('refuses an age that is not a duration', async () => {
    const { run } = await serveLinks()
    expect(await run('--cache-age', 'old')).toMatchObject({ code: 2 })
  })
})
