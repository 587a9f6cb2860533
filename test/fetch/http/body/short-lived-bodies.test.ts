import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MEASURE = fileURLToPath(new URL('./measure-kept-bodies.ts', import.meta.url))

it('bodies are freed by young-generation collections, even on connections that were idle for long', () => {
  const share = execFileSync(process.execPath, [MEASURE], { encoding: 'utf8' })
  expect(Number.parseFloat(share)).toBeLessThan(1 / 3)
})
