import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { growTo, reserveShared } from '../../src/seen/growable-shared-buffer.ts'

/** V8 collects all garbage before it gives up. A new process has none; that of the tests has much. */
const RESERVE = fileURLToPath(new URL('./reserve-process.ts', import.meta.url))

describe('growable shared memory', () => {
  it('reserves as many addresses as are available', () => {
    const reserved = JSON.parse(execFileSync(process.execPath, [RESERVE], { encoding: 'utf8' }))
    expect(reserved).toMatchObject({ byteLength: 4096, refusal: 'RangeError' })
    expect(reserved.maxByteLength).toBeGreaterThan(2 ** 30)
  })

  it('grows to the requested size, up to its maximum', () => {
    const buffer = reserveShared(4096, 16_384)
    expect([growTo(buffer, 8192), buffer.byteLength]).toEqual([true, 8192])
    expect([growTo(buffer, 4096), buffer.byteLength]).toEqual([true, 8192])
    expect([growTo(buffer, 16_385), buffer.byteLength]).toEqual([false, 8192])
  })
})
