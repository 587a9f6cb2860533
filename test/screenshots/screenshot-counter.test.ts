import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger } from '../../src/logger.ts'
import { ScreenshotCounter } from '../../src/screenshots/screenshot-counter.ts'

it('screenshots are counted over all runs, and a warning names the first page without one', async () => {
  const stream = new PassThrough({ encoding: 'utf8' })
  const counts = new ScreenshotCounter(await createLogger({ level: 'info', stream }))
  counts.count('https://one.test/', undefined)
  expect(counts.counts).toBeUndefined()
  counts.count('https://one.test/a', { file: 'a' })
  for (const name of ['b', 'c']) counts.count(`https://one.test/${name}`, { missing: 'it crashed' })
  counts.restore({ taken: 2, missing: 5 })
  expect(counts.counts).toEqual({ taken: 3, missing: 7 })
  const lines = String(stream.read()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'No screenshot of https://one.test/b: it crashed; the summary counts all pages without one',
  ])
})
