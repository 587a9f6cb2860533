import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { serve } from '../../support/serve.ts'
import { chosen } from '../../support/soak.ts'
import { useFolder } from '../../support/state-run.ts'
import { runInTerminal } from '../../support/terminal.ts'
import { serveTree } from '../tree-site.ts'

const path = useFolder()

/** Returns the first lines of the views in a terminal. */
const heads = (lines: readonly string[]) => lines.filter((line) => /^[\d,]+ visits? {3}/.test(line))

it('the live view is below the records, and the terminal is restored after Ctrl-C', async () => {
  const site = await serveTree(9_999, () => sleep(15))
  const args = [`${site.url}/1`, '-d', '99', '-w', '2', '--delay', '1ms']
  const { terminal, until, type, ended } = runInTerminal(args, { columns: 80, rows: 30 })
  await until((lines) => /^\d\d+ visits/.test(heads(lines)[0] ?? ''))
  const [head = '', ...others] = heads(terminal.lines)
  expect(others).toEqual([])
  const view = terminal.lines.slice(terminal.lines.indexOf(head)).filter((line) => line !== '')
  expect(view.slice(-5).map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['worker', '1', '2', 'host'],
    site.url.slice('http://'.length),
  ])
  type('\u0003')
  expect(await ended).toBe(130)
  const { lines } = terminal
  expect(heads(lines)).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^\[.+\] WARN: Stopping: /))
  expect(lines).toContainEqual(expect.stringMatching(/^Stopped after .+: \d+ visits on 1 host/))
  expect(terminal.cursor).toEqual({ isShown: true, column: 0 })
})

it('the live view shows that a host waits, why, and how long', async () => {
  const site = await serve(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end()
    else response.writeHead(503, { 'retry-after': '60' }).end()
  })
  const run = runInTerminal([`${site.url}/`, '-w', '1'], { columns: 80, rows: 30 })
  const host = site.url.slice('http://'.length)
  await run.until((lines) =>
    lines.some((line) => line.startsWith(`waiting for ${host}: Retry-After`)),
  )
  const line = run.terminal.lines.find((each) => each.startsWith('waiting'))
  expect(line).toMatch(/: Retry-After of a response, (?:5\d\.\d s|1:00) left$/)
  run.type('\u0003')
  await run.ended
})

/** Serves a site whose crawl takes several frames of a view. */
const slowSite = () => serveTree(20, () => sleep(30))
const WIDE = { columns: 400, rows: 30 }
const flags = (...more: string[]) => ['-d', '99', '-w', '1', '-c', '2', '--no-traps', ...more]

describe('the live view is off while another program writes to the terminal through a pipe', () => {
  /** Returns the URLs on the screen, of whole records only. */
  const urlsOn = (lines: readonly string[]) =>
    lines.filter((line) => /^\{.+\}$/.test(line)).map((line) => String(JSON.parse(line).url))

  it.each(chosen(['| cat', '> >(cat)'], (behind) => behind === '| cat'))(
    'crawl %s',
    async (behind) => {
      const site = await slowSite()
      const run = runInTerminal([`${site.url}/1`, ...flags()], WIDE, `${behind}; wait $!`)
      await run.ended
      const urls = urlsOn(run.terminal.lines)
      expect(new Set(urls).size).toBe(20)
      expect(run.terminal.clears).toEqual([])
      expect(run.terminal.lines.join('\n')).toMatch(/^Finished after .+: 20 visits on 1 host/m)
    },
  )

  it.each(chosen(['-o >(cat)', '-o /dev/null --skipped >(cat)'], (_, at) => at === 1))(
    'crawl %s',
    async (behind) => {
      const site = await slowSite()
      const run = runInTerminal([`${site.url}/1`, ...flags()], WIDE, `${behind}; wait $!`)
      expect(await run.ended).toBe(0)
      expect(run.terminal.clears).toEqual([])
    },
  )

  it('crawl check | cat', async () => {
    const site = await slowSite()
    const run = runInTerminal(['check', `${site.url}/1`, ...flags()], WIDE, '| cat')
    await run.ended
    expect(run.terminal.clears).toEqual([])
    expect(run.terminal.lines.join('\n')).toContain('20 pages checked. 0 broken')
  })

  it('crawl | head, and keeps its lines', async () => {
    const site = await slowSite()
    const run = runInTerminal([`${site.url}/1`, ...flags()], WIDE, '| head -n 5; sleep 0.3')
    await run.ended
    expect(urlsOn(run.terminal.lines)).toHaveLength(5)
  })
})

it.each(chosen(['> "$FOLDER/visits"', '> /dev/null'], (_, at) => at === 0))(
  'the live view is drawn if stdout is redirected: crawl %s',
  async (behind) => {
    const site = await slowSite()
    const named = behind.replace('$FOLDER', path())
    const run = runInTerminal([`${site.url}/1`, ...flags()], WIDE, named)
    await run.until((lines) => heads(lines).length > 0)
    expect(await run.ended).toBe(0)
  },
)

it('a log of JSON that is asked for at a terminal has no view or summary between its lines', async () => {
  const site = await slowSite()
  const args = [`${site.url}/1`, ...flags(), '-o', '/dev/null', '--log-format', 'json']
  const { terminal, ended } = runInTerminal(args, { columns: 4_000, rows: 30 })
  expect(await ended).toBe(0)
  const lines = terminal.lines.filter((line) => line !== '').map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ visits: 20, reason: 'finished' })
})
