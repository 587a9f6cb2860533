import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PROCESS = fileURLToPath(new URL('turbofan-flags.ts', import.meta.url))

it('Turbofan is off for four seconds, except while threads load', () => {
  const loading = [true, true, false, true, false]
  const afterFourSeconds = [true, true]
  const printed = execFileSync(process.execPath, [PROCESS], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([...loading, ...afterFourSeconds])
})
