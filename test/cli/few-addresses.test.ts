import { describe, expect, it } from 'vitest'
import { runLimited, warningsOf } from '../support/limited-run.ts'
import { serve } from '../support/serve.ts'
import { chosen } from '../support/soak.ts'

/** Serves a page that links to others. */
async function serveSite(): Promise<string> {
  const links = Array.from({ length: 20 }, (_, n) => `<a href="/${n}">x</a>`).join('')
  const { url } = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(url === '/' ? links : 'x')
  })
  return `${url}/`
}

describe.skipIf(process.platform !== 'linux')('a crawl with a limited address space', () => {
  const LIMITS: [number, string][] = [
    [5_000_000, '5.1 GB'],
    [20_000_000, '20.5 GB'],
  ]
  it.each(chosen(LIMITS, ([kibibytes]) => kibibytes < 10_000_000))(
    'visits all pages with %i KiB and fewer workers, and warns about that',
    async (kibibytes, shownLimit) => {
      const run = await runLimited(`-v ${kibibytes}`, [await serveSite(), '--workers', '16'])
      expect(run.visits.map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 200))
      expect(warningsOf(run)).toEqual([
        expect.stringMatching(
          `^The limit of the address space \\(ulimit -v\\) is ${shownLimit}: \\d+ of 16 workers run$`,
        ),
      ])
      expect(run.code).toBe(0)
    },
  )

  const SETS = ['bloom-growing', 'digest', 'exact', 'hybrid']
  it.each(chosen(SETS, (seen) => seen === 'hybrid'))(
    'visits all pages with 10,000,000 KiB and --seen %s',
    async (seen) => {
      const run = await runLimited('-v 10000000', [await serveSite(), '--seen', seen, '-w', '2'])
      expect(run.visits.map(({ status }) => status)).toEqual(Array.from({ length: 21 }, () => 200))
      expect(run.code).toBe(0)
    },
  )

  it('is refused before the program is loaded if loading could crash', async () => {
    const run = await runLimited('-v 1300000', ['http://127.0.0.1:9/'])
    expect(run).toMatchObject({
      stderr:
        'crawl: the limit of the address space (ulimit -v): expected at least 1500000 KiB, got 1300000\n',
      code: 2,
    })
  })

  it.each(chosen([2_000_000, 3_000_000], (kibibytes) => kibibytes === 3_000_000))(
    'is refused in one sentence with %i KiB',
    async (kibibytes) => {
      const run = await runLimited(`-v ${kibibytes}`, ['http://127.0.0.1:9/'])
      expect(run.stderr).toMatch(
        /^crawl: the limit of the address space \(ulimit -v\): expected at least [\d.]+ GB for this crawl, got [\d.]+ GB\n$/,
      )
      expect(run.code).toBe(2)
    },
  )
})
