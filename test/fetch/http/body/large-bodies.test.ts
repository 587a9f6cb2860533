import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BodySlots } from '../../../../src/runtime/shared-body-memory.ts'
import { serve } from '../../../support/serve.ts'
import { openTestFetcher } from '../../open-test-fetcher.ts'

const MAX_BODY = 12 * 2 ** 20
const TIMEOUT = 4_000
const html = { 'content-type': 'text/html' }
const gzip = { ...html, 'content-encoding': 'gzip' }
const large = Buffer.from(randomBytes(1_000_000).toString('hex'))

async function serveLargeBodies() {
  const site = await serve((request, response) => {
    const isCoded = request.url === '/coded'
    response.writeHead(200, isCoded ? gzip : html).end(isCoded ? gzipSync(large) : large)
  })
  const memory = BodySlots.allocate(MAX_BODY)
  const client = openTestFetcher({ timeout: TIMEOUT, bodySlots: [new BodySlots(memory, 1)] })
  const owners = new Int32Array(memory.owners)
  const taken = () => [...owners.subarray(1)].filter((owner) => owner !== 0).length
  return {
    taken,
    get: (path: string) => client.get({ url: `${site.url}${path}`, maxBody: MAX_BODY }),
  }
}

describe('a large body', () => {
  it.each(['/plain', '/coded'])('is in shared memory until it is released: %s', async (path) => {
    const { get, taken } = await serveLargeBodies()
    const answer = await get(path)
    expect(answer.body?.equals(large)).toBe(true)
    expect(answer.body?.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(taken()).toBe(1)
    answer.release()
    expect(taken()).toBe(0)
  })

  it('waits for shared memory after it has arrived, outside of its timeout', async () => {
    const { get, taken } = await serveLargeBodies()
    const [first, second] = [await get('/plain'), await get('/coded')]
    const waiting = [get('/plain'), get('/coded')]
    await sleep(TIMEOUT + 200)
    expect(taken()).toBe(2)
    first.release()
    second.release()
    for (const answer of await Promise.all(waiting)) {
      expect(answer.body?.equals(large)).toBe(true)
      expect(answer.ms).toBeLessThan(TIMEOUT)
      answer.release()
    }
    expect(taken()).toBe(0)
  })

  it('occupies no shared memory while it arrives', async () => {
    const site = await serve((_, response) => {
      response.writeHead(200, html).write(large)
    })
    const memory = BodySlots.allocate(MAX_BODY)
    const client = openTestFetcher({ timeout: 2_000, bodySlots: [new BodySlots(memory, 1)] })
    const slow = Array.from({ length: 4 }, () =>
      client.get({ url: `${site.url}/`, maxBody: MAX_BODY, mayRetry: false }),
    )
    await sleep(500)
    expect([...new Int32Array(memory.owners).subarray(1)]).toEqual([0, 0, 0])
    for (const answering of slow) {
      const answer = await answering
      expect(answer).toMatchObject({ failure: { code: 'timeout' }, truncated: true })
      expect(answer.body?.equals(large)).toBe(true)
      answer.release()
    }
  })

  it("releases its shared memory if it can't be decoded", async () => {
    const coded = gzipSync(large)
    const wrongSum = coded.fill(0, coded.length - 8)
    const site = await serve((_, response) => {
      response.writeHead(200, gzip).end(Buffer.concat([wrongSum, gzipSync('')]))
    })
    const memory = BodySlots.allocate(MAX_BODY)
    const client = openTestFetcher({ bodySlots: [new BodySlots(memory, 1)] })
    const failure = client
      .get({ url: `${site.url}/`, maxBody: MAX_BODY })
      .catch((error) => error.code)
    expect(await failure).toBe('invalid-content-coding')
    expect([...new Int32Array(memory.owners).subarray(1)]).toEqual([0, 0, 0])
  })
})
