import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runInTerminal } from '../../support/terminal.ts'
import { serveTree } from '../tree-site.ts'

/** First lines of views that stand in a terminal. */
const heads = (lines: readonly string[]) => lines.filter((line) => /^[\d,]+ pages? {3}/.test(line))

it('shows one view below the records, and leaves the terminal as it was after Ctrl-C', async () => {
  const site = await serveTree(9_999, () => sleep(15))
  const args = [`${site.url}/1`, '-d', '99', '-w', '2', '--delay', '1ms']
  const { terminal, until, type, ended } = runInTerminal(args, { columns: 80, rows: 30 })
  await until((lines) => /^\d\d+ pages/.test(heads(lines)[0] ?? ''))
  const [head = '', ...others] = heads(terminal.lines)
  expect(others).toEqual([])
  const view = terminal.lines.slice(terminal.lines.indexOf(head)).filter((line) => line !== '')
  expect(view.slice(-5).map((line) => line.split(/ {2,}/)[0])).toEqual([
    ...['worker', '1', '2', 'host'],
    site.url.slice('http://'.length),
  ])
  type('\u0003')
  expect(await ended).toBe(130)
  const { lines } = terminal
  expect(heads(lines)).toEqual([])
  expect(lines).toContainEqual(expect.stringMatching(/^\[.+\] WARN: Stopping: /))
  expect(lines).toContainEqual(expect.stringMatching(/^Stopped after .+: \d+ pages on 1 host/))
  expect(terminal.cursor).toEqual({ isShown: true, column: 0 })
})
