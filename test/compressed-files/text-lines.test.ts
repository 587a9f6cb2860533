import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { textLines } from '../../src/compressed-files/text-lines.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

async function linesOf(text: string) {
  await writeFile(path('lines'), text)
  const lines = []
  for await (const line of textLines(path('lines'))) lines.push(line)
  return lines
}

it('lines of any length are yielded without a byte order mark, and the last one as incomplete', async () => {
  const lines = ['', 'é'.repeat(70_000), 'x'.repeat(3_000_000), '', 'é\r']
  const whole = lines.map((text) => ({ text, isWhole: true }))
  expect(await linesOf(`\ufeff${lines.join('\n')}\n`)).toEqual(whole)
  expect(await linesOf(`${lines.join('\n')}\nrest`)).toEqual([
    ...whole,
    { text: 'rest', isWhole: false },
  ])
})

it('a line of more than 16 MiB is refused', async () => {
  const message = `${path('lines')}: expected lines of at most 16 MiB`
  await expect(linesOf('x'.repeat(17_000_000))).rejects.toMatchObject({ kind: 'usage', message })
})
