import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { killGroup } from '../../../src/render/browser/browser-process.ts'

it.each(['linux', 'win32'] as const)('a browser is killed on %s', async (platform) => {
  // Windows has no groups of processes, and this one has none, either.
  const child = spawn('sleep', ['60'], { detached: platform !== 'win32' })
  const exit = once(child, 'exit')
  killGroup(child, platform)
  expect(await exit).toEqual([null, 'SIGKILL'])
})
