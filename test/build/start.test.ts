import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCrawl } from '../support/run-cli.ts'
import { type SiteServer, startServer } from '../support/site-server.ts'
import { chosen } from '../support/soak.ts'

const folder = mkdtempSync(join(tmpdir(), 'start-'))
const loaded = join(folder, 'loaded.txt')
const watch = join(folder, 'watch.mjs')
let site: SiteServer

beforeAll(async () => {
  site = await startServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<title>The only page</title>')
  })
  // At its end, each thread writes what it has loaded.
  writeFileSync(
    watch,
    `import { appendFileSync } from 'node:fs'
     import { registerHooks } from 'node:module'
     import { isMainThread } from 'node:worker_threads'
     const files = []
     registerHooks({
       load(url, context, next) {
         files.push(url)
         return next(url, context)
       },
     })
     process.on('exit', () => {
       const modules = process.moduleLoadList.filter((name) => name.startsWith('NativeModule '))
       const builtins = modules.map((name) => name.replace('NativeModule ', ''))
       appendFileSync(${JSON.stringify(loaded)}, JSON.stringify({ isMainThread, files, builtins }) + '\\n')
     })`,
  )
})

afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

describe('the start of a crawl', () => {
  it('loads a few files in each thread, no package, and no TLS or HTTP module of Node', async () => {
    await runCrawl([site.url, '-q'], { nodeArgs: ['--import', watch] })
    const threads = readFileSync(loaded, 'utf8').trim().split('\n')
    const read = threads.map((line) => JSON.parse(line))
    expect(read.map(({ isMainThread }) => isMainThread).sort()).toEqual([false, true])
    for (const { files, builtins } of read) {
      const own: string[] = files.filter((url: string) => url.startsWith('file:'))
      expect(own.filter((url) => url.includes('/node_modules/'))).toEqual([])
      expect(own.length).toBeLessThan(12)
      const late = ['tls', 'http', 'http2', 'crypto']
      expect(builtins.filter((name: string) => late.includes(name))).toEqual([])
    }
  })

  it("uses V8's cached code for Node's built-in modules, in each thread", async () => {
    const env = { NODE_DEBUG_NATIVE: 'CODE_CACHE' }
    const { stderr } = await runCrawl([site.url, '-q'], { env })
    const answers = stderr.match(/(?<=\) is )(?:accepted|rejected)$/gm)
    expect(new Set(answers)).toEqual(new Set(['accepted']))
  })

  it.each([
    ['as many workers as cores', availableParallelism(), 'XDG_CACHE_HOME'],
    ['many workers, as on Windows', availableParallelism() + 5, 'LOCALAPPDATA'],
  ])("stores compiled code in the user's cache directory, with %s", async (name, workers, set) => {
    const cache = join(folder, name)
    const env = { HOME: '', XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '', [set]: cache }
    const crawl = () => runCrawl([site.url, '-q', '-w', `${workers}`], { env })
    expect(await crawl()).toMatchObject({ code: 0 })
    const kept = readdirSync(join(cache, 'orbweaver'), { recursive: true }).map(String)
    // Each thread has a few files: finding and linking hundreds would take longer than running them.
    for (const thread of ['/main-', '/thread-']) {
      const files = kept.filter((name) => name.includes(thread))
      expect(files.length).toBeGreaterThan(1)
      expect(files.length).toBeLessThan(12)
    }
    expect(await crawl()).toMatchObject({ code: 0 })
    const now = readdirSync(join(cache, 'orbweaver'), { recursive: true }).map(String)
    expect(now.filter((name) => name.includes('/program-'))).toEqual(
      kept.filter((name) => name.includes('/program-')),
    )
  })

  it('stores the compiled code of the main thread although its threads had theirs, and V8 got other flags', async () => {
    const cache = join(folder, 'main')
    const env = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' }
    const threads = () =>
      readdirSync(join(cache, 'orbweaver'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.includes('/main-') || name.includes('/thread-'))
        .sort()
    await runCrawl([site.url, '-q'], { env })
    const kept = threads()
    const ofMain = kept.filter((name) => name.includes('/main-'))
    for (const name of ofMain) rmSync(join(cache, 'orbweaver', name))
    // Two pages, one after the other, so that the threads have loaded for long when the crawl ends.
    await runCrawl([site.url, `${site.url}/2`, '-q', '--delay', '1s'], { env })
    expect(threads()).toEqual(kept)
  })

  it('stores no compiled code where other users can write', async () => {
    const cache = join(folder, 'open')
    mkdirSync(cache)
    chmodSync(cache, 0o777)
    const env = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' }
    expect(await runCrawl([site.url, '-q'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(cache)).toEqual([])
  })

  it('works without a directory for compiled code', async () => {
    const none = { HOME: '', XDG_CACHE_HOME: '', NODE_COMPILE_CACHE: '' }
    for (const cache of chosen(
      ['', '/proc/none', '/dev/null', 'relative'],
      (_, index) => index < 2,
    )) {
      const env = { ...none, XDG_CACHE_HOME: cache }
      const { code, stderr, visits } = await runCrawl([site.url, '-q'], { env })
      expect({ code, stderr, visits: visits.length }).toEqual({ code: 0, stderr: '', visits: 1 })
    }
  })
})
