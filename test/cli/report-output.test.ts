import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { BIN } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const VISIT = '{"url":"http://a.test/","status":200}\n'

it.each(['visits', 'links', 'log'])(
  'a report is not written over the %s that it is made of, whatever their name',
  async (setting) => {
    await Promise.all(
      ['visits', 'links', 'log'].map((name) =>
        writeFile(path(name), name === 'visits' ? VISIT : ''),
      ),
    )
    await link(path(setting), path('same'))
    const files = [path('visits'), '--links', path('links'), '--log', path('log')]
    const run = await callCrawl(['report', ...files, '-o', path('same'), '--overwrite'])
    expect(run).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('same')}: expected a file of its own, got the same file as ${path(setting)}\n`,
    })
    expect(await readFile(path('visits'), 'utf8')).toBe(VISIT)
  },
)

it('a report is not written to a file that the shell has emptied before it is read', async () => {
  const visits = path('visits')
  const script = `echo '{}' > "$0"; exec "$@" > "$0"`
  const child = spawn('sh', ['-c', script, visits, process.execPath, BIN, 'report', visits])
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  const message = `crawl: stdout: expected a file of its own, got the same file as ${visits}\n`
  expect([code, stderr]).toEqual([2, message])
})
