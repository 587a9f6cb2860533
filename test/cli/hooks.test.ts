import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('hooks of a config file run only if --config names it', async () => {
  const site = await serveSite({ '/': '<title>Home</title>' })
  await writeFile(path('hooks.mjs'), 'export const onPage = ({ title }) => ({ title })')
  await writeFile(path('crawler.config.json'), '{ "hooks": "./hooks.mjs", "logLevel": "error" }')
  const found = await callCrawl([site.url], '', { cwd: path() })
  expect([found.code, found.stdout, found.stderr]).toEqual([
    ...[2, ''],
    'crawl: crawler.config.json: hooks: is not taken from a file that --config does not name: name this file with --config\n',
  ])
  const named = [site.url, '--config', 'crawler.config.json']
  const { visits, stderr } = await callCrawl([...named, '--state', 'state'], '', { cwd: path() })
  expect([stderr, visits[0]?.data]).toEqual(['', { title: 'Home' }])
  // Nor did the user choose the settings that a state has stored.
  const resumed = await callCrawl(['--state', 'state'], '', { cwd: path() })
  expect([resumed.code, resumed.stderr]).toEqual([
    2,
    'crawl: state: hooks: is not taken from a directory of --state: name the config file again with --config\n',
  ])
})

it('stdout has only visits, whatever hooks print or post', async () => {
  const site = await serveSite({ '/': '<title>Home</title>' })
  const noise = 'console.log("noise"); parentPort.postMessage(null); parentPort.postMessage("x")'
  const hooks = `import { parentPort } from 'node:worker_threads'
    export const onPage = () => { ${noise} }`
  await writeFile(path('hooks.mjs'), hooks)
  await writeFile(path('my.json'), '{ "hooks": "./hooks.mjs", "logLevel": "error" }')
  const run = await runCrawl([site.url, '--config', 'my.json'], { cwd: path() })
  expect([run.code, run.stderr]).toEqual([0, 'noise\n'])
  expect(run.stdout.split('\n')).toHaveLength(2)
})

it.each(['1', '4'])(
  "hooks that can't be imported are reported in one line, with -w %s",
  async (workers) => {
    await writeFile(path('my.json'), '{ "hooks": "./none.mjs", "logLevel": "error" }')
    const command = ['http://127.0.0.1:9/', '--config', 'my.json', '-w', workers]
    const { code, stderr } = await callCrawl(command, '', { cwd: path() })
    expect(stderr).toMatch(/^crawl: hooks: cannot import .+: Cannot find .+\n$/)
    expect(code).toBe(2)
  },
)
