import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Browser } from '../../../src/render/browser/browser.ts'
import { ProcessGuard } from '../../../src/render/browser/process-guard.ts'

const MIB = 2 ** 20

/** Starts a process that fills a number of megabytes. */
async function startProcess(megabytes: number) {
  const code = `const filled = Buffer.alloc(${megabytes * MIB}, 1); console.log(filled.length); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

/** Guards the processes of a double of a browser, since a real one doesn't grow on demand. */
function guard(types: Readonly<Record<string, { readonly pid?: number | undefined }>>) {
  const processInfo = Object.entries(types).map(([type, { pid = 0 }]) => ({
    type,
    id: pid,
    cpuTime: 0,
  }))
  const { promise: excess, resolve } = Promise.withResolvers<string>()
  const send = (async () => ({ processInfo })) as Browser['send']
  const limits = { renderer: 100 * MIB, browser: 150 * MIB }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const processGuard = new ProcessGuard({ send }, () => resolve('excess'), limits)
  onTestFinished(() => processGuard.stop())
  vi.advanceTimersToNextTimer()
  return excess
}

describe.runIf(process.platform === 'linux')('the guard of the memory of a browser', () => {
  it('kills a process that shows pages if it takes too much', async () => {
    const [large, small] = await Promise.all([startProcess(100), startProcess(1)])
    void guard({ renderer: large, utility: small })
    expect(await once(large, 'exit')).toEqual([null, 'SIGKILL'])
    expect(small.signalCode).toBeNull()
  })

  it('has the browser replaced if all of its processes take too much, but kills no other process', async () => {
    const large = await startProcess(150)
    expect(await guard({ 'gpu-process': large })).toBe('excess')
    expect(large.signalCode).toBeNull()
  })
})
