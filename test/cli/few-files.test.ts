import { describe, expect, it } from 'vitest'
import { runLimited, warningsOf } from '../support/limited-run.ts'
import { serve } from '../support/serve.ts'
import { chosen } from '../support/soak.ts'

const HOSTS = 30
const PAGES = 3

/** Serves many hosts that all keep connections open. Each port is a host. */
async function serveHosts(): Promise<string> {
  const page = (ports: readonly string[]) =>
    ports.flatMap((url) => Array.from({ length: PAGES }, (_, n) => `<a href="${url}/${n}">x</a>`))
  const hosts: string[] = []
  const first = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/' ? page(hosts).join('') : 'x')
  })
  for (let n = 0; n < HOSTS; n++) {
    const { url } = await serve((_, response) => setTimeout(() => response.end('x'), 100))
    hosts.push(url)
  }
  return `${first.url}/`
}

describe.skipIf(process.platform !== 'linux')('a crawl with a low limit of open files', () => {
  it.each(chosen([50, 100], (files) => files === 50))(
    'visits all pages of many hosts with %i open files, and warns that it is slower',
    async (files) => {
      const seed = await serveHosts()
      const run = await runLimited(`-n ${files}`, [
        seed,
        '--scope',
        'any',
        '--allow-private',
        '-w',
        '4',
      ])
      expect(run.visits.filter(({ error }) => error !== undefined)).toEqual([])
      expect(run.visits).toHaveLength(1 + HOSTS * PAGES)
      expect(warningsOf(run)).toEqual([
        expect.stringMatching(
          `^The limit of open files \\(ulimit -n\\) is ${files}: \\d+ workers? with \\d+ requests? in flight each instead of 4 workers with 16`,
        ),
      ])
      expect(run.code).toBe(0)
    },
  )

  it('is refused in one sentence with 24 open files', async () => {
    const files = 24
    const run = await runLimited(`-n ${files}`, ['http://127.0.0.1:9/', '--allow-private'])
    expect(run.stderr).toMatch(
      new RegExp(
        `^crawl: the limit of open files \\(ulimit -n\\): expected at least \\d+ for this crawl, got ${files}\n$`,
      ),
    )
    expect(run.code).toBe(2)
  })
})
