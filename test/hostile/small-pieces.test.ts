import { describe, expect, it } from 'vitest'
import { BodyBuffers } from '../../src/fetch/http/body/body-buffers.ts'
import { BodyPlanner } from '../../src/fetch/http/body/body-plan.ts'
import { ScratchFile } from '../../src/fetch/http/body/scratch-file.ts'
import type { ReceivedResponse } from '../../src/fetch/http/decode-response.ts'
import { ResponseHandler } from '../../src/fetch/http/response-handler.ts'

const controller = {
  aborted: false,
  paused: false,
  rawHeaders: [],
  isHttp2: false,
  remoteAddress: undefined,
  abort() {},
  pause() {},
  resume() {},
}

/** Receives a response whose body arrives in these pieces. */
function received(
  pieces: Iterable<Buffer>,
  limit: number,
  buffers = new BodyBuffers(false),
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const planner = new BodyPlanner({ bodySlots: [] }, new ScratchFile())
    const exchange = new ResponseHandler(
      { planner, buffers, minRate: undefined, keepsHead: false, budget: undefined },
      {
        bodyRequest: { url: 'http://a.test/', maxBody: limit, keepBody: true },
        mayRetry: false,
        extraTime: 0,
      },
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
    'is assembled from pieces of %j bytes',
    async (lengths) => {
      const answer = await received(slicesOf(body, lengths), body.length)
      expect(answer.body?.equals(body)).toBe(true)
    },
  )

  it('is truncated at the same byte', async () => {
    const answer = await received(slicesOf(body, [7]), 1_000)
    expect(answer.truncated).toBe(true)
    expect(answer.body?.equals(body.subarray(0, 1_000))).toBe(true)
  })
})

describe('the memory of bodies', () => {
  // A byte in a Buffer of its own takes 170 bytes.
  it('is hardly more than their length, for pieces of any size', async () => {
    const { body: answer } = await received(slicesOf(body, [1]), body.length)
    expect(answer.buffer.byteLength).toBeLessThan(2 * body.length)
  })

  it('is not shared with the pieces, which the next read overwrites', async () => {
    const pieces = [...slicesOf(Buffer.from(body), [50_000])]
    const { body: answer } = await received(pieces, body.length)
    for (const piece of pieces) piece.fill(0)
    expect(answer.equals(body)).toBe(true)
  })

  it('is reused after their release, by one body at a time', async () => {
    const buffers = new BodyBuffers(true)
    const first = await received([body.subarray(0, 1_000)], 1_000, buffers)
    const second = await received([body.subarray(1_000, 2_000)], 1_000, buffers)
    expect(first.body.equals(body.subarray(0, 1_000))).toBe(true)
    first.release()
    first.release()
    const [third, fourth] = [
      await received([body.subarray(2_000, 3_000)], 1_000, buffers),
      await received([body.subarray(3_000, 4_000)], 1_000, buffers),
    ]
    expect(third.body.buffer).toBe(first.body.buffer)
    expect([second, third, fourth].map((each) => each.body[0])).toEqual([
      body[1_000],
      body[2_000],
      body[3_000],
    ])
  })
})
