import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveFixtureSite } from '../../fixtures/server.ts'
import { crawl } from '../../src/index.ts'
import { callCrawl } from '../support/call-cli.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

const path = useFolder()
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.css': 'text/css' }

/** Returns the files of a folder, in order. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => join(file.parentPath, file.name).slice(folder.length + 1)).sort()
}

/** Serves a folder until the end of the test. */
async function serveFolder(folder: string): Promise<string> {
  const site = await serve(async (request, response) => {
    const file = join(folder, decodeURIComponent(request.url ?? ''))
    const body = await readFile(file).catch(() => undefined)
    const type = TYPES[extname(file)] ?? 'application/octet-stream'
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body)
  })
  return site.url
}

const nameOf = (url: string) => new URL(url).host.replace(':', '+')

describe('--save-bodies', () => {
  it('creates a folder in which each link to a saved page points to its file', async () => {
    const site = await serveFixtureSite()
    onTestFinished(() => site.close())
    const run = await callCrawl([site.url, '-q', '--assets', '--save-bodies', path('mirror')])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const saved = run.visits.filter(({ status }) => status === 200).map(({ url }) => url)
    const files = await filesIn(path('mirror'))
    expect(files).toHaveLength(saved.length)
    const url = await serveFolder(path('mirror'))
    const found: string[] = []
    const seeds = [`${url}/${nameOf(site.url)}/index.html`]
    for await (const visit of crawl({ seeds, assets: true, ignoreRobots: true, retries: 0 })) {
      expect(visit).toMatchObject({ status: 200 })
      found.push(decodeURIComponent(visit.url.slice(url.length + 1)))
    }
    expect(found.sort()).toEqual(files)
  })

  it('saves only the kinds of files that --save-only names', async () => {
    const pages: Readonly<Record<string, [type: string, body: string]>> = {
      '/': ['text/html', '<a href=/a.pdf>a</a><a href=/get?id=1>b</a><a href=/c>c</a><img src=/d>'],
      '/a.pdf': ['application/octet-stream', 'A'],
      '/get?id=1': ['application/pdf', 'B'],
      '/c': ['text/html', '<a href=/e.zip>e</a>'],
      '/d': ['image/jpeg', 'D'],
      '/e.zip': ['application/zip', 'E'],
    }
    const site = await serve(({ url = '' }, response) => {
      const [type, body] = pages[url] ?? ['text/plain', '']
      response.writeHead(url in pages ? 200 : 404, { 'content-type': type }).end(body)
    })
    const args = [site.url, '-q', '--assets', '--save-bodies', path('files')]
    const run = await callCrawl([...args, '--save-only', '*.pdf,JPG'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.visits).toHaveLength(6)
    const names = ['a.pdf', 'd.jpg', 'get@id=1.pdf']
    expect(await filesIn(path('files'))).toEqual(names.map((name) => `${nameOf(site.url)}/${name}`))
  })

  it.each([
    [['--save-only', 'pdf'], /^crawl: --save-only: expected --save-bodies with it$/m],
    [
      ['--save-bodies', 'files', '--save-only', 'application/pdf'],
      /--save-only.*expected extensions such as pdf,docx, got `application\/pdf`/,
    ],
  ])('refuses %j', async (flags, message) => {
    const run = await callCrawl(['http://127.0.0.1:9/', ...flags])
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(message)
  })

  it('says if it has saved nothing', async () => {
    const site = await serve((_, response) => response.end('<title>Page</title>'))
    const args = [site.url, '--save-bodies', path('files')]
    const { stderr } = await callCrawl([...args, '--save-only', 'pdf,docx', '-o', path('x.jsonl')])
    expect(stderr).toContain(
      `Nothing was saved in ${path('files')}: no visit is a file of the type of pdf or docx`,
    )
  })

  it('skips a body longer than --max-body, and warns of the number of incomplete ones', async () => {
    const page = `<a href=/big.bin>${'x'.repeat(90)}</a><a href=/early.bin>`
    const site = await serve(({ url = '' }, response) => {
      const type = url === '/' ? 'text/html' : 'application/octet-stream'
      const body = url === '/' ? page : 'x'.repeat(url === '/big.bin' ? 500 : 50)
      const length = url === '/early.bin' ? 60 : body.length
      response.writeHead(200, { 'content-type': type, 'content-length': length })
      response.end(body, () => url === '/early.bin' && response.destroy())
    })
    const args = [`${site.url}/`, '--max-body', '200B', '--retries', '0', '--log-level', 'warn']
    const saving = await callCrawl([...args, '--save-bodies', path('mirror')])
    expect(saving.code).toBe(0)
    expect(saving.stderr).toMatch(/1 body was longer than --max-body, so it was cut: /)
    expect(await filesIn(path('mirror'))).toHaveLength(1)
    // The rest of a file that isn't saved is not read.
    expect((await callCrawl(args)).stderr).toBe('')
    const savingOthers = ['--save-bodies', path('others'), '--save-only', 'pdf']
    expect((await callCrawl([...args, ...savingOthers])).stderr).toBe('')
  })

  it('logs the file to open at the end, also if the seed redirects', async () => {
    const pages: Readonly<Record<string, string>> = { '/start/': '<a href=/b>', '/b': 'B' }
    const site = await serve(({ url = '' }, response) => {
      const page = pages[url]
      if (url === '/') response.writeHead(302, { location: '/start/' }).end()
      else response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
    })
    const open = async (...more: string[]) => {
      const flags = ['-d', '1', '--save-bodies', path('mirror'), '--state', path('state')]
      const { stderr } = await callCrawl([`${site.url}/`, ...flags, ...more])
      return stderr.trimEnd().split('\n').at(-1)
    }
    const file = join(path('mirror'), nameOf(site.url), 'start/index.html')
    expect(await open('--max-pages', '2')).toContain(`"To read offline, open ${file}"`)
    expect(await open()).toContain(file)
    expect((await open('--revisit-after', '0s', '-q')) ?? '').toBe('')
  })

  it('loses nothing to SIGKILL, and continues with --state', async () => {
    const site = await serveTree(60)
    const kept = ['--state', path('state'), '--save-bodies', path('mirror')]
    const command = [`${site.url}/1`, '-q', '-d', '99', '-w', '1', ...kept]
    const signalAfter = { visits: 20, signal: 'SIGKILL' } as const
    expect((await runCrawl(command, { signalAfter })).code).toBeNull()
    expect(await callCrawl(command)).toMatchObject({ code: 0, stderr: '' })
    const host = join(path('mirror'), nameOf(site.url))
    const names = Array.from({ length: 60 }, (_, index) => `${index + 1}.html`)
    expect(await filesIn(host)).toEqual(names.sort())
    expect(await readFile(join(host, '3.html'), 'utf8')).toBe(
      '<meta charset="utf-8"><a href="6.html">6</a><a href="7.html">7</a>',
    )
  })

  it('links to the web for unsaved pages, and to files saved by a later run', async () => {
    const site = await serveTree(3)
    const kept = ['--state', path('state'), '--save-bodies', path('mirror')]
    const page = join(path('mirror'), nameOf(site.url), '1.html')
    const command = [`${site.url}/1`, '-q', '-w', '1', ...kept]
    expect(await callCrawl([...command, '--max-pages', '1'])).toMatchObject({ code: 0 })
    expect(await readFile(page, 'utf8')).toContain(`<a href="${site.url}/2">2</a>`)
    expect(await callCrawl(command)).toMatchObject({ code: 0 })
    expect(await readFile(page, 'utf8')).toContain('<a href="2.html">2</a>')
  })

  it('links to the file of a redirect target that --canonicalize merges with another URL', async () => {
    const site = await serve(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html')
      if (url === '/go') response.writeHead(302, { location: '/page/index.html' })
      response.end(url === '/' ? '<a href="/go">' : '')
    })
    const options = ['--canonicalize', 'strip-index', '--save-bodies', path('merged')]
    await callCrawl([site.url, '-q', ...options])
    const page = await readFile(join(path('merged'), nameOf(site.url), 'index.html'), 'utf8')
    expect(page).toContain('<a href="page/index.html">')
  })

  it('fetches the URLs in style sheets with --assets', async () => {
    const site = await serve((request, response) => {
      const isPage = request.url === '/'
      response.setHeader('content-type', isPage ? 'text/html' : (TYPES['.css'] ?? ''))
      response.end(isPage ? '<link rel=stylesheet href=a.css>' : '@import "b.css";')
    })
    await callCrawl([site.url, '-q', '--assets', '--save-bodies', path('mirror')])
    expect(await filesIn(join(path('mirror'), nameOf(site.url)))).toEqual([
      'a.css',
      'b.css',
      'index.html',
    ])
  })

  it('saves modules that import each other from file to file', async () => {
    const files: Readonly<Record<string, string>> = {
      '/app/': `<script type=module integrity=sha384-x src=/js/main.js?v=1></script>
        <script type=module>import '../js/main.js?v=1'</script>`,
      '/js/main.js?v=1': `import { a } from '/js/a.js?v=2'\nexport const all = [a, (await import("./b.js?v=3")).b, new URL('/i.png?x', import.meta.url).pathname]`,
      '/js/a.js?v=2': "import './missing.js?x'; export const a = 'a'",
      '/js/b.js?v=3': "export const b = 'b'",
    }
    const site = await serve(({ url = '' }, response) => {
      const type = url === '/app/' ? 'text/html' : 'application/javascript'
      const text = files[url] ?? (url === '/js/missing.js?x' ? '' : undefined)
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text)
    })
    await callCrawl([`${site.url}/app/`, '-q', '--assets', '--save-bodies', path('mirror')])
    const folder = join(path('mirror'), nameOf(site.url))
    const { href } = pathToFileURL(join(folder, 'js/main@v=1.js'))
    const code = `import('${href}').then(({ all }) => console.log(all.join(' ')))`
    expect(execFileSync(process.execPath, ['-e', code], { encoding: 'utf8' })).toBe('a b /i.png\n')
    const page = await readFile(join(folder, 'app/index.html'), 'utf8')
    expect(page).toContain('data-integrity=sha384-x src="../js/main%40v%3D1.js"')
    expect(page).toContain("import '../js/main%40v%3D1.js'")
  })

  it("saves images of a page's styles, and lazy images", async () => {
    const site = await serve((request, response) => {
      const isPage = request.url === '/'
      response.setHeader('content-type', isPage ? 'text/html' : 'image/png')
      const lazy = '<img data-src=/lazy.png data-srcset="/two.png 2x">'
      response.end(
        isPage
          ? `<style>p{background:url(/a.png)}</style>${lazy}<p style="mask:url(/b.png)">`
          : 'x',
      )
    })
    await callCrawl([site.url, '-q', '--assets', '--save-bodies', path('mirror')])
    const folder = join(path('mirror'), nameOf(site.url))
    expect(await filesIn(folder)).toEqual(['a.png', 'b.png', 'index.html', 'lazy.png', 'two.png'])
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain(
      `<style>p{background:url("a.png")}</style><img data-src="lazy.png" data-srcset="two.png 2x"><p style="mask:url(&#x22;b.png&#x22;)">`,
    )
  })

  it('keeps the pages of a killed process, and refuses to start another mirror over them', async () => {
    const site = await serveTree(400)
    const command = [`${site.url}/1`, '-q', '-d', '99', '-w', '1', '--save-bodies', path('mirror')]
    await runCrawl(command, { signalAfter: { visits: 20, signal: 'SIGKILL' } })
    const originals = join(path('mirror'), '.originals', nameOf(site.url))
    const before = await filesIn(originals)
    expect(before).toContain('3.html')
    expect(await callCrawl(command)).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('mirror')}: expected an empty folder, got pages of an unfinished mirror in .originals; --overwrite writes into this one\n`,
    })
    expect(await filesIn(originals)).toEqual(before)
    expect(await callCrawl([...command, '--overwrite'])).toMatchObject({ code: 0, stderr: '' })
    expect(await filesIn(join(path('mirror'), nameOf(site.url)))).toHaveLength(400)
  })

  it('requires an empty, writable folder', async () => {
    await mkdir(path('full'))
    await writeFile(path('full', 'file'), '')
    const run = (folder: string) => callCrawl(['http://127.0.0.1:1/', '--save-bodies', folder])
    expect(await run(path('full'))).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('full')}: expected an empty folder; --overwrite writes into this one\n`,
    })
    const file = path('full', 'file')
    expect(await run(file)).toMatchObject({
      code: 5,
      stderr: `crawl: ${file}: expected a folder, got a file\n`,
    })
  })

  it('removes the folder and its files if the crawl cannot begin', async () => {
    const saved = ['--save-bodies', path('mirror'), '--skipped', path('mirror', 'skips')]
    const filter = ['--seen', 'bloom', '--expected-urls', '1e15']
    expect(await callCrawl(['http://127.0.0.1:1/', ...saved, ...filter])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^crawl: --expected-urls 1000000000000000: A Bloom filter for .+ needs more than .+\n$/,
      ),
    })
    expect(await readdir(path())).toEqual([])
  })
})
