import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const PROCESS = fileURLToPath(new URL('ended-process.ts', import.meta.url))

it.each([1, 2, 3])(
  'a process ends with its exit code although a thread starts further threads (%i)',
  () => {
    const { status, signal, stderr } = spawnSync(process.execPath, [PROCESS], { encoding: 'utf8' })
    expect({ status, signal, stderr }).toEqual({ status: 7, signal: null, stderr: '' })
  },
)
