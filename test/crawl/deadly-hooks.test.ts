import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ConfigInput } from '../../src/config/schema.ts'
import type { Tuning } from '../../src/crawl/tuning.ts'
import { serveSite } from '../support/crawl-site.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'
import { runAndLog } from './run-and-log.ts'

const path = useFolder()
const anchors = (hrefs: readonly string[]) =>
  hrefs.map((href) => `<a href="${href}">x</a>`).join('')

/** Runs a crawl with hooks of this code and one worker. */
async function crawlWith(
  code: string,
  seeds: readonly string[],
  config: ConfigInput = {},
  tuning: Partial<Tuning> = {},
) {
  await writeFile(path('hooks.mjs'), code)
  const own = { workers: 1, perHost: 16, traps: false, hooks: path('hooks.mjs') }
  const run = await runAndLog({ ...own, seeds: [...seeds], ...config }, tuning)
  const paths = run.visits.map(({ url }) => new URL(url).pathname)
  const errors = run.visits.flatMap(({ url, error }) =>
    error === undefined ? [] : [`${new URL(url).pathname} ${error.code}`],
  )
  return { ...run, paths: paths.sort(), errors: errors.sort() }
}

/** A loop that blocks its thread like a computation, but leaves the processor to others. */
const LOOP = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)'
const KILLERS = Array.from({ length: 2 }, (_, page) => `/kills/${page}`)
const KILL = `export const onPage = ({ url }) => { if (url.includes('/kills/')) process.exit() }`

/** Serves pages that kill their worker, one at a time. */
function serveDeadly() {
  const killers = KILLERS.map((killer) => [killer, ''])
  return serveSite({ '/': anchors(KILLERS), ...Object.fromEntries(killers) })
}

/** Responds after all those pages have killed their workers. */
async function answerLate(_: unknown, response: { end(body: string): void }): Promise<void> {
  await sleep(2_000)
  response.end('')
}

it('a slow page and a slow robots.txt are not blamed for workers that other pages killed', async () => {
  const deadly = await serveDeadly()
  const slow = await serveSite({ '/slow': answerLate })
  const late = await serveSite({ '/robots.txt': answerLate, '/fine': '' })
  const seeds = [deadly.url, `${slow.url}/slow`, `${late.url}/fine`]
  const { errors, paths } = await crawlWith(KILL, seeds, { perHost: 1 })
  expect(errors).toEqual(KILLERS.map((killer) => `${killer} worker-died`))
  expect(paths).toEqual(['/', '/fine', ...KILLERS, '/slow'])
})

it('any value thrown by a later callback ends only its worker', async () => {
  const all = {
    '/kills/null': 'null',
    '/kills/object-of-no-class': '{ kind: "usage", message: { no: "text" } }',
    '/kills/error-with-own-kind': 'Object.assign(new Error("x"), { kind: "usage" })',
  }
  const thrown = chosen(Object.entries(all), ([, value]) => !value.startsWith('{'))
  const killers = thrown.map(([path]) => path)
  const site = await serveSite({
    ...Object.fromEntries([...killers, '/fine'].map((path) => [path, ''])),
    '/': anchors([...killers, '/fine']),
  })
  const cases = thrown.map(([path, value]) => `if (url.endsWith('${path}')) throw ${value}`)
  const code = `export const onPage = async ({ url }) => {
    if (url.includes('/kills/')) await new Promise(() => setTimeout(() => { ${cases.join('; ')} }))
  }`
  const { errors, paths } = await crawlWith(code, [`${site.url}/`], { perHost: 1 })
  expect(errors).toEqual(killers.map((path) => `${path} worker-died`).sort())
  expect(paths).toEqual(['/', '/fine', ...killers].sort())
})

it("hooks can't forge messages of their worker, nor break its timers", async () => {
  const site = await serveSite({ '/': anchors(['/a']), '/a': '' })
  const types = ['outcomes', 'claims', 'robots', 'probe', 'cookies', 'ready']
  const code = `import { parentPort, workerData } from 'node:worker_threads'
    globalThis.setImmediate = () => {}
    export const onPage = () => {
      workerData.port?.postMessage(null)
      for (const type of ${JSON.stringify(types)}) parentPort.postMessage({ type })
    }`
  expect((await crawlWith(code, [`${site.url}/`])).paths).toEqual(['/', '/a'])
})

it('URLs that killed workers are given up with their host', async () => {
  let requests = 0
  const kill = (_: unknown, response: ServerResponse) => {
    if (++requests > 2 * KILLERS.length) response.destroy()
    else response.setHeader('content-type', 'text/html').end('')
  }
  const killers = KILLERS.map((killer) => [killer, kill])
  const site = await serveSite({ '/': anchors(KILLERS), ...Object.fromEntries(killers) })
  const limits = { maxHostErrors: 1, hostPatience: '0s', retries: 0 }
  const { visits, skips } = await crawlWith(KILL, [`${site.url}/`], limits)
  expect(visits.length + skips.length).toBe(1 + KILLERS.length)
  expect(skips.length).toBeGreaterThan(0)
})

it('an endless loop after an await costs its page, not the crawl', async () => {
  const site = await serveSite({ '/': anchors(['/loops', '/fine']), '/loops': '', '/fine': '' })
  const code = `const loop = () => { ${LOOP} }
    export const onPage = ({ url }) => {
      if (url.includes('/loops')) return Promise.resolve().then(loop)
    }`
  // Long enough for the pages without a loop, on a busy machine.
  const limits = { hookTimeout: '500ms' }
  const { errors, visits } = await crawlWith(code, [`${site.url}/`], limits, { hookGrace: 1_000 })
  expect([errors, visits.length]).toEqual([['/loops worker-died'], 3])
})

describe('a module of hooks', () => {
  const crawl = async (top: string, hookGrace?: number) => {
    const site = await serveSite({ '/': '' })
    const limits = { hookTimeout: '100ms' }
    const code = `${top}\nexport const onPage = () => {}`
    return crawlWith(code, [site.url], limits, hookGrace === undefined ? {} : { hookGrace })
  }
  const named = (message: RegExp) => ({
    ...{ name: 'CrawlerError', kind: 'usage', message: expect.stringMatching(message) },
  })

  it.each([
    ['loops', LOOP],
    [
      'waits for a timer that never ends',
      'setInterval(() => {}, 1_000); await new Promise(() => {})',
    ],
  ])('that %s during its import is given up after a while', async (_, top) => {
    await expect(crawl(top, 500)).rejects.toMatchObject(
      named(/^hooks: expected a module that is imported within 1 s, got .+hooks\.mjs$/),
    )
  })

  it.each([
    [
      'waits for a promise that never resolves',
      'await new Promise(() => {})',
      /^hooks: cannot import .+hooks\.mjs: a top-level await never resolves$/,
    ],
    [
      'exits',
      'process.exit(3)',
      /^hooks: expected a module that does not end its worker, got .+hooks\.mjs: the worker ended with exit code 3$/,
    ],
    [
      'exits a little later',
      'setTimeout(process.exit)',
      /^hooks: expected a module that does not end its worker, got .+hooks\.mjs: the worker ended with exit code 0$/,
    ],
  ])('that %s during its import is reported as the cause', async (_, top, message) => {
    await expect(crawl(top)).rejects.toMatchObject(named(message))
  })
})
