import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { useFolder } from '../support/state-run.ts'
import { serveTree } from './tree-site.ts'

/** The examples by which articles on URL deduplication show their filters. */
const path = useFolder()

async function answersOf(action: string, urls: readonly string[]): Promise<[string, boolean][]> {
  const { code, stdout } = await callCrawl(['seen', path('state'), action, ...urls])
  expect(code).toBe(0)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ url, ...answer }) => [url, Object.values(answer)[0] === true])
}

it('crawl seen finds the three repeated URLs of nine, and Hello and World after adding them, not Python', async () => {
  const site = await serveTree(1)
  const flags = ['-q', '-w', '1', '-o', path('out.jsonl'), '--state', path('state')]
  expect((await callCrawl([`${site.url}/1`, ...flags])).code).toBe(0)
  const hosts = ['csdn.net', 'baidu.com', 'google.com.hk', 'cnblogs.com', 'zhihu.com']
  const repeated = ['shiyanlou.com', 'google.com.hk/', 'shiyanlou.com', 'csdn.net/']
  const urls = [...hosts, ...repeated].map((host) => `http://www.${host}`)
  const words = ['Hello', 'World', 'Python'].map((word) => `http://${word}`)
  const added = await answersOf('add', [...urls, ...words.slice(0, 2)])
  expect(added.flatMap(([url, isNew]) => (isNew ? [] : [url]))).toEqual([
    'http://www.google.com.hk/',
    'http://www.shiyanlou.com/',
    'http://www.csdn.net/',
  ])
  const answers = await answersOf('has', words)
  expect(answers.map(([, isSeen]) => isSeen)).toEqual([true, true, false])
})

it('of 110 seeds, ten of them twice, 100 are requested and ten counted as duplicates', async () => {
  const site = await serveTree(0)
  const wanted = [...Array(10).keys(), ...Array(100).keys()].map((wd) => `${site.url}/s?wd=${wd}`)
  const flags = ['--seeds', '-', '-d', '0', '-w', '2', '--per-host', '64', '--ignore-robots']
  const { code, stderr, visits } = await callCrawl(flags, wanted.join('\n'))
  expect(code).toBe(0)
  expect(site.requests).toHaveLength(100)
  expect(new Set(visits.map(({ url }) => url))).toEqual(new Set(wanted))
  const summary = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  expect(summary).toMatchObject({
    ...{ reason: 'finished', visits: 100, skipped: { duplicate: 10 } },
    statuses: { 404: 100 },
    seen: { added: 100 },
  })
})
