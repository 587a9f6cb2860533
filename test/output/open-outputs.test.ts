import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { openOutputs } from '../../src/output/open-outputs.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

const open = (input: ConfigInput) => openOutputs(resolveConfig(input), new PassThrough(), undefined)

it.each<[string, ConfigInput]>([
  ['--format sqlite: expected a file as --output, got stdout', { format: 'sqlite' }],
  ['--format warc: expected a file as --output, got stdout', { format: 'warc' }],
  [
    '--deterministic: expected no output of format warc beside it',
    { output: 'never-written.warc.gz', deterministic: true },
  ],
])('refuses outputs that can not be: %s', async (message, input) => {
  await expect(open(input)).rejects.toMatchObject({ kind: 'usage', message })
})

it('finds before the crawl that the parts of a large sitemap would have no place', async () => {
  await writeFile(path('map-1.xml'), 'dear data')
  const output = path('map.xml')
  await expect(open({ output })).rejects.toMatchObject({
    kind: 'usage',
    message: `${path('map-1.xml')}: expected no such file beside ${output}; --overwrite replaces it`,
  })
  await (await open({ output, overwrite: true })).discard()
})

it('leaves no file behind when one of several is refused', async () => {
  await writeFile(path('b.csv'), 'dear data')
  const output = [path('a.jsonl'), path('a.warc.gz'), path('a.sqlite'), path('b.csv')]
  await expect(open({ output })).rejects.toMatchObject({ kind: 'usage' })
  const left = ['a.jsonl', 'a.warc.gz', 'a.cdxj', 'a.sqlite'].filter((name) =>
    existsSync(path(name)),
  )
  expect(left).toEqual([])
})
