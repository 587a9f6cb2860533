import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyFolder, refused } from './refused.ts'

let folder = ''

beforeEach(async () => {
  folder = await emptyFolder()
})

const refusedThere = (args: readonly string[]) => refused(args, folder)

describe('the config file', () => {
  it('is crawler.config.json when it is there', async () => {
    await writeFile(join(folder, 'crawler.config.json'), '{ "depht": 1, "seeds": ["ftp://x"] }')
    expect(await refusedThere(['http://127.0.0.1/'])).toEqual([
      'crawl: crawler.config.json: seeds.0: expected an http or https URL, got `"ftp://x"`',
      'crawl: crawler.config.json: depht: unknown setting; did you mean depth?',
    ])
  })

  it('can be named, and its problems are reported with those of the flags', async () => {
    await writeFile(join(folder, 'crawler.config.json'), 'not read at all')
    await writeFile(join(folder, 'my.json'), '{ "depth": "1" }')
    expect(
      await refusedThere(['--config', 'my.json', '--retries', 'x', 'http://127.0.0.1/']),
    ).toEqual([
      'crawl: my.json: depth: expected a whole number from 0 to 1000000 or unlimited, got `"1"`',
      'crawl: --retries: expected a whole number from 0 to 100, got `x`',
    ])
  })

  it('must be there when it is named, and be JSON', async () => {
    expect(await refusedThere(['--config', 'my.json', 'http://127.0.0.1/'])).toEqual([
      'crawl: my.json: expected a readable JSON file, got no file',
    ])
    await writeFile(join(folder, 'my.json'), '{\n depth: 1 }')
    const lines = await refusedThere(['--config', 'my.json', 'http://127.0.0.1/'])
    expect(lines).toEqual([
      expect.stringMatching(/^crawl: my\.json: expected JSON, got a syntax error: .+\(line 2 /),
    ])
  })
})
