import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serveTree } from '../cli/tree-site.ts'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('a mirror whose originals or folder were removed is not continued', async () => {
  const site = await serveTree(5)
  const kept = ['--state', path('state'), '--save-bodies', path('mirror')]
  const command = [`${site.url}/1`, '-q', ...kept, '-o', path('a.jsonl')]
  expect((await callCrawl(command)).code).toBe(0)
  const round = ['--revisit-after', '0s']
  for (const name of ['.originals', '']) {
    const folder = join(path('mirror'), name)
    await rm(folder, { recursive: true })
    const message = `${folder}: expected the pages that the crawl had saved, got none: move the folder back, or continue with another one and --force`
    const error = { code: 6, stderr: `crawl: ${message}\n` }
    for (let run = 0; run < 2; run++)
      expect(await callCrawl([...command, ...round])).toMatchObject(error)
  }
  const another = ['--save-bodies', path('another'), '--force']
  expect((await callCrawl([...command, ...round, ...another])).code).toBe(0)
})
