import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { crawl } from '../../../src/crawl/crawl.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { serveSite } from '../../support/crawl-site.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const FULL = `CREATE TRIGGER full BEFORE INSERT ON seen BEGIN SELECT RAISE(ABORT, 'disk is full'); END`

it('a seen set that fails for a sitemap ends the crawl with one sentence', async () => {
  const site = await serveSite({
    '/robots.txt': (_, response) => {
      const database = new DatabaseSync(path('state', 'seen.sqlite'))
      database.exec(FULL)
      database.close()
      response.end()
    },
  })
  const args = ['--seen', 'sqlite', '--sitemaps', '--state', path('state'), '-o', path('out')]
  const { code, stderr } = await callCrawl([`${site.url}/`, '-q', ...args])
  expect(code).toBe(5)
  expect(stderr).toBe(
    `crawl: ${path('state', 'seen.sqlite')}: the seen set can't be written: disk is full\n`,
  )
})

it('a crawl that is stopped while it adds seeds skips the remaining ones', async () => {
  const seeds = Array.from({ length: 30_000 }, (_, n) => `http://127.0.0.1:10000/${n}`)
  const running = crawl({ seeds, workers: 1 })
  running.stop()
  const { reason, queued } = await running.finished
  expect(reason).toBe('stopped')
  expect(queued).toBeLessThan(seeds.length)
})
