import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { BodySlots, codedLimit } from '../../src/runtime/shared-body-memory.ts'

const MAX_BODY = 12 * 2 ** 20

/** A process of its own, since in the heap of the tests V8 may collect otherwise. */
const MEASURE = fileURLToPath(new URL('./measure-body-slots.ts', import.meta.url))

describe('BodySlots', () => {
  it('takes no memory before its use, even after that of earlier crawls was freed', () => {
    const grown = Number(execFileSync(process.execPath, [MEASURE], { encoding: 'utf8' }))
    expect(grown).toBeLessThan(2 ** 24)
  })

  it('gives each body separate memory', async () => {
    const slots = new BodySlots(BodySlots.allocate(MAX_BODY), 1)
    const [first, second, scratch] = [
      await slots.take(),
      await slots.take(),
      await slots.takeScratch(),
    ]
    const all = [first, second, scratch]
    for (const [index, { bytes }] of all.entries()) bytes.fill(index + 1)
    for (const [index, { bytes }] of all.entries()) {
      expect(bytes.length).toBe(codedLimit(MAX_BODY))
      expect([bytes.at(0), bytes.at(-1)]).toEqual([index + 1, index + 1])
    }
  })

  it('lets other threads wait until a slot is released', async () => {
    const memory = BodySlots.allocate(MAX_BODY)
    const [mine, yours] = [new BodySlots(memory, 1), new BodySlots(memory, 2)]
    const [first] = [await mine.take(), await mine.take()]
    let isGiven = false
    const waiting = yours.take().then((slot) => {
      isGiven = true
      return slot
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isGiven).toBe(false)
    first.release()
    first.release()
    const slot = await waiting
    expect(slot.bytes.byteOffset).toBe(first.bytes.byteOffset)
  })

  it('frees the slots of a dead thread, and no others', async () => {
    const memory = BodySlots.allocate(MAX_BODY)
    const [living, dead] = [new BodySlots(memory, 1), new BodySlots(memory, 2)]
    const [kept, lost] = [await living.take(), await dead.take()]
    await dead.takeScratch()
    new BodySlots(memory, 0).release(2)
    const again = await living.take()
    expect(again.bytes.byteOffset).toBe(lost.bytes.byteOffset)
    expect(again.bytes.byteOffset).not.toBe(kept.bytes.byteOffset)
    await living.takeScratch()
    // Released too late: another owner has it.
    lost.release()
    const owners = new Int32Array(memory.owners)
    expect([...owners.subarray(1)]).toEqual([1, 1, 1])
  })

  it('has space for many small bodies, but only two of the largest', () => {
    const slotsFor = (maxBody: number) => BodySlots.allocate(maxBody).owners.byteLength / 4 - 2
    expect([2 ** 10, 2 ** 20, 10 * 2 ** 20, 2 ** 28].map(slotsFor)).toEqual([64, 24, 2, 2])
  })
})
