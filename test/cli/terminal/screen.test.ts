import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Screen } from '../../../src/cli/terminal/screen.ts'
import { Terminal } from '../../support/terminal.ts'

const WIDE = { columns: 40, rows: 8 }
const NARROW = { columns: 15, rows: 8 }

/** Opens a screen on a terminal. Returns both. */
function open() {
  const terminal = new Terminal(WIDE)
  const stream = terminal.stream(WIDE)
  const screen = new Screen(stream)
  const above = screen.above(stream)
  return { terminal, stream, screen, print: (text: string) => above.write(text), shown }

  async function shown(): Promise<string[]> {
    await setImmediate()
    await terminal.write('')
    return terminal.lines.filter((line) => line !== '')
  }
}

describe('a screen', () => {
  it('draws in place, with more or fewer lines than before', async () => {
    const { screen, shown } = open()
    screen.draw(['one', 'two', 'three'])
    screen.draw(['1', '2'])
    expect(await shown()).toEqual(['1', '2'])
    screen.draw(['a longer line', '2', '3'])
    expect(await shown()).toEqual(['a longer line', '2', '3'])
    screen.draw([])
    expect(await shown()).toEqual([])
  })

  it('keeps output above its lines, even when that scrolls away', async () => {
    const { screen, print, shown } = open()
    screen.draw(['view', 'of two lines'])
    const printed = Array.from({ length: 20 }, (_, number) => `record ${number}`)
    for (const line of printed) print(`${line}\n`)
    print('a record that is longer than the forty columns\n')
    const wrapped = ['a record that is longer than the forty c', 'olumns']
    expect(await shown()).toEqual([...printed, ...wrapped, 'view', 'of two lines'])
  })

  it('leaves nothing behind when the terminal becomes narrower or wider', async () => {
    const { terminal, stream, screen, print, shown } = open()
    print('before\n')
    screen.draw(['a view of more than fifteen columns', 'short'])
    await shown()
    terminal.resize(NARROW)
    Object.assign(stream, NARROW)
    screen.draw(['a narrow view', 'short'])
    expect(await shown()).toEqual(['before', 'a narrow view', 'short'])
    terminal.resize(WIDE)
    Object.assign(stream, WIDE)
    screen.draw(['a view of more than fifteen columns', 'short'])
    print('after\n')
    expect(await shown()).toEqual([
      'before',
      'after',
      'a view of more than fifteen columns',
      'short',
    ])
  })

  it('is erased line by line, since tmux would keep a cleared screen in its history', async () => {
    const { terminal, screen, shown } = open()
    screen.draw(['one', 'two'])
    await terminal.write('^C')
    screen.draw([])
    expect(await shown()).toEqual([])
    expect(terminal.clears).not.toContain(0)
  })

  it('overwrites typed characters', async () => {
    const { terminal, screen, shown } = open()
    screen.draw(['one', 'two'])
    await shown()
    await terminal.write('^C')
    screen.draw(['three'])
    expect(await shown()).toEqual(['three'])
    expect(terminal.cursor).toEqual({ isShown: true, column: 0 })
  })
})
