import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { BIN, runCrawl } from '../support/run-cli.ts'
import { chosen } from '../support/soak.ts'
import { useFolder } from '../support/state-run.ts'

describe('an old Node', () => {
  const pretending = (node: string, other = {}) => {
    const value = JSON.stringify({ node, ...other })
    return [
      '--import',
      `data:text/javascript,Object.defineProperty(process,"versions",{value:${value}})`,
    ]
  }

  it.each([
    ['14.21.3', {}, '14.21.3'],
    ['20.20.2', {}, '20.20.2'],
    ['22.18.0', {}, '22.18.0'],
    // It lacks functions of node:sqlite and node:zlib that 22.19 has.
    ['23.11.1', {}, '23.11.1'],
    ['26.3.0', { bun: '1.4.5' }, 'Bun 1.4.5'],
    ['26.3.0', { deno: '2.9.6' }, 'Deno 2.9.6'],
  ])('%s %o is refused in one line', async (version, other, found) => {
    const run = await runCrawl(['http://127.0.0.1/'], { nodeArgs: pretending(version, other) })
    const stderr = `crawl: expected Node.js 22.19 or newer, except 23, got ${found}\n`
    expect(run).toMatchObject({ code: 2, stdout: '', stderr })
  })

  it('is refused in a line of JSON with --log-format json', async () => {
    const args = ['http://127.0.0.1/', '--log-format', 'json']
    const { stderr } = await runCrawl(args, { nodeArgs: pretending('20.20.2') })
    const msg = 'expected Node.js 22.19 or newer, except 23, got 20.20.2'
    expect(JSON.parse(stderr)).toMatchObject({ level: 60, exitCode: 2, msg })
  })

  it.each(chosen(['22.19.0', '24.0.0', '30.1.2'], (version) => version !== '24.0.0'))(
    'is not reported for Node %s',
    async (version) => {
      const run = await runCrawl(['--version'], { nodeArgs: pretending(version) })
      expect(run).toMatchObject({ code: 0, stderr: '' })
    },
  )
})

describe('a program that was not built', () => {
  const path = useFolder()

  it('is reported in one line', () => {
    mkdirSync(path('bin'))
    copyFileSync(BIN, path('bin/crawl.cjs'))
    const { status, stderr } = spawnSync(process.execPath, [path('bin/crawl.cjs'), '--version'])
    const expected = `the program is not built (found no ${path('dist/load-program.cjs')})`
    expect({ status, stderr: stderr.toString() }).toEqual({
      ...{ status: 2, stderr: `crawl: ${expected}: run npm run build\n` },
    })
  })
})
