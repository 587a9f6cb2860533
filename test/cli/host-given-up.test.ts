import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { freePort } from '../support/listen.ts'
import { runCrawl } from '../support/run-cli.ts'
import { startVanishingSite } from '../support/vanishing-site.ts'

describe('exit code 4', () => {
  it('reports that a host was given up that had responded before', async () => {
    const site = await startVanishingSite(30, (self, count) => void (count === 9 && self.leave()))
    const { code, stderr } = await callCrawl([site.url, '--host-patience', '0'])
    expect(code).toBe(4)
    expect(stderr).toMatch(/is given up, with \d+ URLs: it gave no usable response for [\d.]+ m?s/)
    expect(stderr).toContain('"givenUp":{"first":[{"key":"127.0.0.1:')
  })

  it('reports that a host was given up after failures, too', async () => {
    const links = Array.from({ length: 30 }, (_, page) => `<a href=/${page}>x</a>`).join('')
    const site = await serveSite({ '/': links, ...failing(30) })
    const { code } = await callCrawl([site.url, '--retries', '0', '--max-host-errors', '3'])
    expect(code).toBe(4)
  })

  it.each([
    [
      'pages that fail on a host that responds',
      { '/': '<a href=/0>x</a><a href=/x>x</a>', ...failing(1) },
      0,
    ],
    [
      'pages that robots.txt forbids',
      { '/robots.txt': 'User-agent: *\nDisallow: /x', '/': '<a href=/x>x</a>' },
      0,
    ],
    [
      'a host that asks for a Crawl-delay of hours',
      { '/robots.txt': 'User-agent: *\nCrawl-delay: 9999' },
      3,
    ],
  ])('is not used for %s', async (_, answers, code) => {
    const site = await serveSite(answers)
    expect((await callCrawl([site.url, '--retries', '0'])).code).toBe(code)
  })

  it('is not used for a seed whose host never responded, nor for a link to one', async () => {
    const dead = `http://127.0.0.1:${await freePort()}/`
    expect((await callCrawl([dead])).code).toBe(3)
    const site = await serveSite({ '/': `<a href="${dead}">x</a>` })
    expect((await callCrawl([site.url, '--scope', 'any', '--allow-private'])).code).toBe(0)
  })
})

it('an interrupt immediately ends a crawl that waits for a host', async () => {
  const site = await startVanishingSite(30, (self, count) => void (count === 9 && self.leave()))
  let interruptedAt = 0
  const { code } = await runCrawl([site.url], {
    onStart: (child) => {
      child.stderr?.on('data', (text) => {
        if (interruptedAt > 0 || !String(text).includes('has stopped answering')) return
        interruptedAt = performance.now()
        child.kill('SIGINT')
      })
    },
  })
  expect(code).toBe(130)
  // The crawl would wait 120 s for the host.
  expect(performance.now() - interruptedAt).toBeLessThan(60_000)
})

function failing(count: number) {
  const paths = Array.from({ length: count }, (_, page) => `/${page}`)
  const fail = (_: unknown, response: { destroy(): void }) => response.destroy()
  return Object.fromEntries(paths.map((path) => [path, fail]))
}
