import { describe, expect, it } from 'vitest'
import { warningsOf } from '../support/limited-run.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'

/** Serves a page with more links than a small heap can hold, and another page. */
async function serveSite(): Promise<string> {
  const links = Array.from({ length: 70_000 }, (_, n) => `<a href="/${'p'.repeat(90)}${n}">x</a>`)
  const page = links.join('')
  const { url } = await serve((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(request.url === '/' ? page : 'x')
  })
  return url
}

const crawl = async (url: string, mebibytes: number) =>
  runCrawl([`${url}/`, `${url}/other`, '--depth', '0', '--retries', '0'], {
    nodeArgs: [`--max-old-space-size=${mebibytes}`],
  })

describe('a page of 70,000 links', () => {
  it('causes a warning that a small heap may not suffice, and the other page is visited', async () => {
    const url = await serveSite()
    const run = await crawl(url, 20)
    const heapWarnings = warningsOf(run).filter((message) =>
      message.startsWith('The heap of each worker'),
    )
    expect(heapWarnings).toEqual([
      expect.stringMatching(
        /^The heap of each worker ends at \d\d MiB: .* NODE_OPTIONS=--max-old-space-size=<MiB> gives it more$/,
      ),
    ])
    expect(run.visits.find((visit) => visit.url === `${url}/other`)?.status).toBe(200)
    expect(run.visits).toHaveLength(2)
  })

  it('is visited with a heap of 128 MiB, without a warning', async () => {
    const url = await serveSite()
    const run = await crawl(url, 128)
    expect(run.visits.map(({ status }) => status)).toEqual([200, 200])
    expect(warningsOf(run)).toEqual([])
  })
})
