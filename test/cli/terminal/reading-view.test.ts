import { writeFile } from 'node:fs/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { useFolder } from '../../support/state-run.ts'
import { runInTerminal } from '../../support/terminal.ts'

const path = useFolder()
const SIZE = { columns: 80, rows: 30 }

/** For the commands, time passes a hundred times as fast, so that reading a small file takes longer than a frame. */
beforeEach(() => {
  const hasten =
    'const { timeOrigin } = performance; performance.now = () => (Date.now() - timeOrigin) * 100'
  const options = `${process.env['NODE_OPTIONS']} --import data:text/javascript,${encodeURIComponent(hasten)}`
  vi.stubEnv('NODE_OPTIONS', options)
  return () => vi.unstubAllEnvs()
})

const line = (url: number) => `{"url":"http://a.test/${url}","status":200}\n`

/** Writes a file of visits. */
async function writeVisits(name: string, ...further: readonly string[]): Promise<string> {
  const lines = Array.from({ length: 10_000 }, (_, url) => line(url))
  await writeFile(path(name), [...lines, ...further].join(''))
  return path(name)
}

it('crawl report shows on a terminal how many records it has read', async () => {
  const args = ['report', await writeVisits('visits.jsonl'), '-o', path('report.html')]
  const { terminal, ended } = runInTerminal(args, SIZE)
  expect(await ended).toBe(0)
  expect(terminal.written).toMatch(/^\S*\d+,000 records read\S*$/m)
  expect(terminal.written).toContain('10,000 records read, making the report')
  expect(terminal.lines.filter((each) => each !== '')).toEqual([])
})

it('crawl diff shows on a terminal how many records it has read, and then the differences', async () => {
  const [one, other] = [await writeVisits('1.jsonl'), await writeVisits('2.jsonl', line(10_000))]
  const { terminal, ended } = runInTerminal(['diff', one, other], SIZE)
  expect(await ended).toBe(0)
  expect(terminal.written).toContain('20,001 records read, comparing')
  expect(terminal.lines.slice(0, 2)).toEqual([
    '10,000 URLs, then 10,001',
    '1 added, 0 gone, 0 status changed, 0 changed',
  ])
})

it('a command shows no progress beside another program that may write to the terminal', async () => {
  const args = ['diff', await writeVisits('1.jsonl'), path('1.jsonl')]
  const { terminal, ended } = runInTerminal(args, SIZE, '| cat')
  expect(await ended).toBe(0)
  expect(terminal.clears).toEqual([])
})
