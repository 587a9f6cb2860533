import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder } from '../support/state-run.ts'
import { refused } from './refused.ts'

const path = useFolder()
const refusedThere = (args: readonly string[]) => refused(args, path())

describe('the config file', () => {
  it('is crawler.config.json if that exists', async () => {
    await writeFile(path('crawler.config.json'), '{ "depht": 1, "seeds": ["ftp://x"] }')
    expect(await refusedThere(['http://127.0.0.1/'])).toEqual([
      'crawl: crawler.config.json: seeds.0: expected an http or https URL, got `"ftp://x"`',
      'crawl: crawler.config.json: depht: unknown setting; did you mean depth?',
    ])
  })

  it('is not read with --no-config, which check takes, too', async () => {
    await writeFile(path('crawler.config.json'), 'not read at all')
    for (const command of [[], ['check']]) {
      const args = [...command, 'http://127.0.0.1:9/', '--no-config', '--retries', 'x']
      expect(await refusedThere(args)).toEqual([
        'crawl: --retries: expected a whole number from 0 to 100, got `x`',
      ])
    }
  })

  it('can be named with --config, and its problems are reported with those of the flags', async () => {
    await writeFile(path('crawler.config.json'), 'not read at all')
    await writeFile(path('my.json'), '{ "depth": "1" }')
    expect(
      await refusedThere(['--config', 'my.json', '--retries', 'x', 'http://127.0.0.1/']),
    ).toEqual([
      'crawl: my.json: depth: expected a whole number from 0 to 1000000 or unlimited, got `"1"`',
      'crawl: --retries: expected a whole number from 0 to 100, got `x`',
    ])
  })

  it('may turn a switch on or off, which the opposite switch overrides', async () => {
    const site = await serveSite({ '/': '<title>Home</title><p>Hello<img src=/a.png>' })
    const settings = { text: true, assets: true, traps: false, force: true, overwrite: true }
    await writeFile(path('my.json'), JSON.stringify(settings))
    const args = [site.url, '--config', 'my.json', '-o', path('visits.jsonl')]
    const visitsWith = async (...flags: string[]) => {
      expect(await callCrawl([...args, ...flags], '', { cwd: path() })).toMatchObject({ code: 0 })
      const lines = await readFile(path('visits.jsonl'), 'utf8')
      return lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    expect(await visitsWith()).toMatchObject([{ data: { text: 'Hello' } }, { hop: 'asset' }])
    const [page, ...others] = await visitsWith('--no-text', '--no-assets', '--traps', '--no-force')
    expect(page).not.toHaveProperty('data')
    expect(others).toEqual([])
    expect(await refusedThere([...args, '--no-overwrite'])).toEqual([
      `crawl: ${path('visits.jsonl')}: expected a file that doesn't exist yet; --overwrite replaces it`,
    ])
  })

  it('may contain settings that need another setting, unlike the command line', async () => {
    const settings = { digest: 'md5', forgetAfter: '1d', minRateTime: '3s', renderTimeout: '3s' }
    const lone = {
      ...settings,
      force: true,
      lease: '3s',
      followDuplicates: false,
      logLevel: 'error',
    }
    await writeFile(path('my.json'), JSON.stringify(lone))
    const args = ['http://127.0.0.1:9/', '--ignore-robots', '--retries', '0', '--config', 'my.json']
    expect(await callCrawl(args, '', { cwd: path() })).toMatchObject({ code: 3 })
    expect(await refusedThere([...args, '--digest', 'md5'])).toEqual([
      'crawl: --digest: expected --seen digest with it',
    ])
    expect(await refusedThere([...args, '--passphrase-file', 'none'])).toEqual([
      'crawl: --passphrase-file: expected --cert with it',
    ])
    const seen = { ...lone, seen: 'digest' }
    await writeFile(path('my.json'), JSON.stringify(seen))
    expect(await callCrawl([...args, '--digest', 'md5'], '', { cwd: path() })).toMatchObject({
      code: 3,
    })
  })

  it('must exist and be JSON if --config names it', async () => {
    expect(await refusedThere(['--config', 'my.json', 'http://127.0.0.1/'])).toEqual([
      'crawl: my.json: expected a readable JSON file, got no file',
    ])
    await writeFile(path('my.json'), '{\n depth: 1 }')
    const lines = await refusedThere(['--config', 'my.json', 'http://127.0.0.1/'])
    expect(lines).toEqual([
      expect.stringMatching(/^crawl: my\.json: expected JSON, got a syntax error: .+\(line 2 /),
    ])
  })
})
