import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import type { Delivery, Screenshot } from '../../src/records/visit-attachments.ts'
import { VisitRecord } from '../../src/records/visit-record.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()

/** Opens the outputs of a crawl with screenshots. `take` returns a screenshot that was taken. */
async function openShots(output = path('a.jsonl'), directory?: StateDirectory) {
  const config = resolveConfig({ output, screenshots: path('shots'), render: 'always' })
  const { outputs } = await openOutputs(config, new PassThrough(), directory)
  const { visits } = outputs
  const incoming = outputs.screenshots?.path ?? ''
  const failures: Error[] = []
  visits.open({ drained() {}, closed() {}, failed: (error) => failures.push(error) })
  let count = 0
  const take = (content: string) => {
    const file = join(incoming, `1-${++count}`)
    writeFileSync(file, content)
    return { file }
  }
  return { failures, take, visits }
}

function delivery(url: string, screenshot?: Screenshot): Delivery {
  const record = new VisitRecord({ url, depth: 0, hop: 'seed', attempts: 1 })
  return { record, screenshot }
}

const URLS = ['https://one.test/', 'https://one.test/A.png?b', 'https://one.test/a@b.png']

it('a screenshot has its name before its record is written, and no two share one', async () => {
  const { failures, take, visits } = await openShots()
  visits.write(URLS.map((url) => delivery(url, take(url))))
  visits.write([delivery('https://one.test/plain'), delivery(URLS[0] ?? '', take('later'))])
  visits.write([delivery('https://one.test/lost', { missing: 'the page crashed' })])
  expect(existsSync(path('shots', 'one.test', 'index.png'))).toBe(true)
  expect(await visits.sync()).toEqual({ [path('shots')]: 0, [path('a.jsonl')]: expect.any(Number) })
  await visits.close()
  const names = (await visitsIn(path('a.jsonl'))).map(({ screenshot }) => screenshot)
  expect(names).toEqual([
    ...['one.test/index.png', 'one.test/A@b.png', 'one.test/a@b-2.png'],
    ...[undefined, 'one.test/index.png', undefined],
  ])
  const contents = names.slice(0, 3).map((name) => readFileSync(path('shots', name ?? ''), 'utf8'))
  expect(contents).toEqual(['later', ...URLS.slice(1)])
  expect(failures).toEqual([])
})

it.each<[string, (screenshot: { readonly file: string }) => Screenshot, RegExp]>([
  ["can't be written", () => ({ failure: 'ENOSPC: no space left' }), /can't be written: ENOSPC/],
  [
    'is gone',
    (screenshot) => {
      rmSync(screenshot.file)
      return screenshot
    },
    /index-2\.png: can't be written: ENOENT/,
  ],
])('after a screenshot that %s, no record is written', async (_, spoil, message) => {
  const { failures, take, visits } = await openShots()
  const [start = ''] = URLS
  visits.write([delivery(start, take('fine'))])
  visits.write([delivery(`${start}index`, spoil(take('lost'))), delivery(`${start}b`)])
  visits.write([delivery(`${start}c`)])
  await visits.close()
  expect(failures).toMatchObject([{ kind: 'output', message: expect.stringMatching(message) }])
  expect(await visitsIn(path('a.jsonl'))).toMatchObject([{ url: start }])
})

it('screenshots whose folder was removed are not continued', async () => {
  const directory = StateDirectory.open(path('state'))
  onTestFinished(() => directory.close())
  const { take, visits } = await openShots('-', directory)
  visits.write([delivery('https://one.test/', take('screenshot'))])
  await visits.close()
  rmSync(path('shots'), { recursive: true })
  await expect(openShots('-', directory)).rejects.toMatchObject({
    kind: 'state',
    message: `${path('shots')}: expected the screenshots that the crawl had saved, got none: move the folder back, or continue with another one and --force`,
  })
  expect(existsSync(path('shots'))).toBe(false)
})
