import { describe, expect, it } from 'vitest'
import { BodyPieces } from '../../src/fetch/http/body/body-pieces.ts'
import { BodyPlanner } from '../../src/fetch/http/body/body-plan.ts'
import { ScratchFile } from '../../src/fetch/http/body/scratch-file.ts'
import type { ReceivedResponse } from '../../src/fetch/http/decode-response.ts'
import { ResponseHandler } from '../../src/fetch/http/response-handler.ts'

const controller = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
}

/** The answer whose body arrives in these pieces. */
function received(pieces: Iterable<Buffer>, limit: number): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const planner = new BodyPlanner({ bodySlots: [] }, new ScratchFile())
    const exchange = new ResponseHandler(
      { planner, minRate: undefined, keepsHead: false, budget: undefined },
      { bodyRequest: { maxBody: limit, keepBody: true }, mayRetry: false },
      60_000,
      resolve,
      reject,
    )
    exchange.onResponseStart(controller, 200, {})
    for (const piece of pieces) exchange.onResponseData(controller, piece)
    exchange.onResponseEnd()
  })
}

function* slicesOf(body: Buffer, lengths: readonly number[]): Generator<Buffer> {
  let turn = 0
  for (let at = 0; at < body.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    yield body.subarray(at, at + length)
    at += length
  }
}

const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

describe('a body that arrives in small pieces', () => {
  it.each([[[1]], [[1, 20_000]], [[20_000, 1, 1, 70_000]], [[16_383]], [[300_000]]])(
    'is what was sent: pieces of %j bytes',
    async (lengths) => {
      const answer = await received(slicesOf(body, lengths), body.length)
      expect(answer.body?.equals(body)).toBe(true)
    },
  )

  it('is cut at the same byte', async () => {
    const answer = await received(slicesOf(body, [7]), 1_000)
    expect(answer.truncated).toBe(true)
    expect(answer.body?.equals(body.subarray(0, 1_000))).toBe(true)
  })
})

describe('BodyPieces', () => {
  const gathered = (pieces: Iterable<Buffer>) => {
    const all = new BodyPieces()
    for (const piece of pieces) all.add(piece)
    return all.take()
  }

  // A byte in a Buffer of its own takes 170 bytes.
  it('takes no more memory for small pieces than for large ones', () => {
    expect(gathered(slicesOf(body, [1])).length).toBeLessThan(20)
  })

  it('keeps no hold of what was around a piece on the socket', () => {
    const read = () => Buffer.alloc(65_536, 'x').subarray(100, 101)
    const held = new Set(gathered(Array.from({ length: 1_000 }, read)).map(({ buffer }) => buffer))
    const bytes = [...held].reduce((sum, { byteLength }) => sum + byteLength, 0)
    expect(bytes).toBeLessThan(200_000)
  })
})
