import { hash } from 'node:crypto'
import { chmod, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FetcherOptions } from '../../../src/fetch/open-fetcher.ts'
import { serve } from '../../support/serve.ts'
import { useFolder } from '../../support/state-run.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const path = useFolder()
const BASE = 'https://site.test/'
const FILES: Readonly<Record<string, string>> = {
  'index.html': '<title>Start</title>',
  'about.html': '<title>About</title>',
  'docs/index.html': '<title>Docs</title>',
  'both/index.html': 'folder',
  'both.html': 'file',
  'empty/note.txt': 'note',
  'ü x/100%.txt': 'text',
  'style.css': 'p {}',
  'robots.txt': 'User-agent: *',
  unknown: '<!doctype html><title>No extension</title>',
}

beforeEach(async () => {
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(path(name)), { recursive: true })
    await writeFile(path(name), text)
  }
})

function openFolder(options: Partial<FetcherOptions> = {}, base = BASE) {
  return openTestFetcher({ siteFolder: { base, path: path() }, ...options })
}

const get = (url: string, options?: Partial<FetcherOptions>) =>
  openFolder(options).get({ url: `${BASE}${url}`, maxBody: ENOUGH, keepBody: true })

describe('a folder in place of a site', () => {
  it.each([
    ['', 'index.html', 'text/html'],
    ['index.html', 'index.html', 'text/html'],
    ['about', 'about.html', 'text/html'],
    ['about.html?x=1', 'about.html', 'text/html'],
    ['docs/', 'docs/index.html', 'text/html'],
    ['both', 'both.html', 'text/html'],
    ['both/', 'both/index.html', 'text/html'],
    ['%C3%BC%20x/100%25.txt', 'ü x/100%.txt', 'text/plain'],
    ['style.css', 'style.css', 'text/css'],
    ['robots.txt', 'robots.txt', 'text/plain'],
    ['unknown', 'unknown', 'text/html'],
  ])('answers /%s with %s', async (url, file, type) => {
    const { status, body, contentType } = await get(url)
    expect([status, contentType, body?.toString()]).toEqual([200, { type }, FILES[file]])
  })

  it.each([
    ...['missing', 'empty/', 'empty', 'docs/missing', 'about.html/', 'about.html/x', 'no%', '%00'],
    ...['..%2Findex.html', '..%5Cindex.html', 'docs%2Findex.html', 'x'.repeat(5_000)],
  ])('answers 404 for /%s', async (url) => {
    expect(await get(url)).toMatchObject({ status: 404, bytes: 0, body: undefined })
  })

  it.each([
    ['docs?x=1', 'docs/?x=1'],
    ['/docs', '/docs/'],
  ])('redirects from /%s, a folder without its slash, to /%s of the same host', async (url, to) => {
    const { status, headers } = await get(url)
    expect([status, headers['location']]).toEqual([301, `${BASE}${to}`])
  })

  it('answers 404 for what is no file, such as a device, and follows symbolic links', async () => {
    await symlink('/dev/zero', path('zero'))
    await symlink('about.html', path('link.html'))
    expect(await get('zero')).toMatchObject({ status: 404 })
    expect(await get('link')).toMatchObject({ status: 200 })
  })

  it('answers 403 for a file that the user may not read', async () => {
    await chmod(path('about.html'), 0)
    await chmod(path(), 0o755)
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      expect(await get('about')).toMatchObject({ status: 403 })
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  it('cuts a long file, and reads none that nobody needs', async () => {
    const request = { url: `${BASE}empty/note.txt`, maxBody: 3 }
    const cut = { status: 200, bytes: 3, truncated: true }
    const fetcher = openFolder()
    expect(await fetcher.get({ ...request, keepBody: true })).toMatchObject({
      ...cut,
      body: Buffer.from('not'),
    })
    expect(await fetcher.get(request)).toMatchObject({ ...cut, body: undefined, digest: undefined })
    expect(await fetcher.head(request)).toMatchObject({
      ...{ status: 200, bytes: 0, body: undefined, truncated: false },
    })
  })

  it('has the digest and the first bytes of a body that is not kept', async () => {
    const fetcher = openFolder({ digests: true, keepsStarts: true })
    const response = await fetcher.get({ url: `${BASE}empty/note.txt`, maxBody: ENOUGH })
    expect(response).toMatchObject({ body: undefined, digest: hash('sha256', 'note') })
    expect(response.start?.toString()).toBe('note')
  })

  it('answers 304 if the file has not changed since the last visit', async () => {
    const fetcher = openFolder()
    const again = async (lastModified: string) => {
      const before = { lastModified }
      return (await fetcher.get({ url: `${BASE}about`, maxBody: ENOUGH, before })).status
    }
    await utimes(path('about.html'), 1_000, 1_000)
    expect(await again('Thu, 01 Jan 1970 00:16:40 GMT')).toBe(304)
    expect(await again('Thu, 01 Jan 1970 00:16:41 GMT')).toBe(200)
  })

  it('is archived like a response', async () => {
    const archived: string[] = []
    const archive: FetcherOptions['archive'] = (url, _, { status, head, body }, server) => {
      archived.push(`${url} ${status} ${head?.reason} ${body} ${server}`)
      return undefined as never
    }
    await get('docs/', { archive })
    expect(archived).toEqual([`${BASE}docs/ 200 OK <title>Docs</title> undefined`])
  })

  it('answers only for the URLs below its base, and for a robots.txt that allows all', async () => {
    const site = await serve((_, response) => response.end('network'))
    const fetcher = openFolder({}, `${site.url}/project/`)
    const statusOf = async (url: string) => {
      const response = await fetcher.get({
        url: `${site.url}${url}`,
        maxBody: ENOUGH,
        keepBody: true,
      })
      return `${response.status} ${response.body?.toString()}`
    }
    expect(await statusOf('/project/docs/')).toBe('200 <title>Docs</title>')
    expect(await statusOf('/project/x')).toBe('404 undefined')
    expect(await statusOf('/projects')).toBe('200 network')
    expect(await statusOf('/robots.txt')).toBe('404 undefined')
  })
})
