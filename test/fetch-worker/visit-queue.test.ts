import PQueue from 'p-queue'
import { expect, it } from 'vitest'
import { VisitQueue } from '../../src/fetch-worker/visit-queue.ts'
import type { CrawlUrl } from '../../src/records/crawl-url.ts'

/** Opens a queue for one visit at a time. A test decides when the visit ends. */
function openQueue() {
  const begun: number[] = []
  const depths: number[] = []
  const ends: (() => void)[] = []
  const requests = new PQueue({ concurrency: 1 })
  const queue = new VisitQueue(requests, ({ id, depth }: CrawlUrl) => {
    begun.push(id)
    depths.push(depth)
    return new Promise((resolve) => ends.push(resolve))
  })
  const place = { sameDepthHops: 0, redirects: 0, hop: 'link' } as const
  const add = (id: number, url = 'http://a.test/', depth = 0) =>
    queue.add({ id, url, ...place, depth, attempt: 1, failures: 0, keepLinks: false })
  const endNext = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { requests, queue, begun, depths, add, endNext }
}

it('the visit queue starts visits in order, as many at a time as may be in flight', async () => {
  const { begun, add, endNext } = openQueue()
  for (const id of [1, 2, 3]) add(id)
  expect(begun).toEqual([1])
  await endNext()
  expect(begun).toEqual([1, 2])
})

it('the visit queue returns the unstarted visits of a recalled host, and starts the others', async () => {
  const { queue, begun, add, endNext } = openQueue()
  add(1)
  add(2)
  add(3, 'http://b.test/')
  add(4, 'https://a.test/')
  expect(queue.recall('a.test')).toEqual([2, 4])
  await endNext()
  expect(begun).toEqual([1, 3])
})

it('the visit queue returns all unstarted visits, each once', async () => {
  const { queue, begun, add, endNext } = openQueue()
  for (const id of [1, 2, 3]) add(id)
  expect(queue.recall()).toEqual([2, 3])
  expect(queue.recall()).toEqual([])
  await endNext()
  expect(begun).toEqual([1])
})

it('the visit queue starts a visit that was returned and queued again only once, at its new place', async () => {
  const { queue, begun, depths, add, endNext } = openQueue()
  add(1)
  add(2, 'http://a.test/', 5)
  queue.recall()
  add(2, 'http://a.test/', 3)
  await endNext()
  await endNext()
  expect(begun).toEqual([1, 2])
  expect(depths).toEqual([0, 3])
})

it('the visit queue lets other requests take their turn among the visits', async () => {
  const { requests, begun, add, endNext } = openQueue()
  for (const id of [1, 2]) add(id)
  void requests.add(async () => void begun.push(0))
  add(3)
  for (let ends = 0; ends < 3; ends++) await endNext()
  expect(begun).toEqual([1, 0, 2, 3])
})

it('the visit queue starts visits that are queued while other requests use all slots', async () => {
  const { requests, begun, add, endNext } = openQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  void requests.add(() => promise)
  add(1)
  expect(begun).toEqual([])
  resolve()
  await endNext()
  expect(begun).toEqual([1])
})

it('the visit queue starts visits that are queued after all others have ended or were recalled', async () => {
  const { queue, begun, add, endNext } = openQueue()
  add(1)
  add(2)
  queue.recall()
  await endNext()
  add(3)
  await endNext()
  expect(begun).toEqual([1, 3])
})

it('the visit queue leaves its slots to other requests when no visit waits', async () => {
  const { requests, begun, add, endNext } = openQueue()
  add(1)
  await endNext()
  void requests.add(async () => void begun.push(0))
  await endNext()
  add(2)
  await endNext()
  expect(begun).toEqual([1, 0, 2])
})

it('the visit queue leaves its slots to other requests when all visits were recalled before they began', async () => {
  const { requests, queue, begun, add, endNext } = openQueue()
  const { promise, resolve } = Promise.withResolvers<void>()
  void requests.add(() => promise)
  add(1)
  void requests.add(async () => void begun.push(0))
  queue.recall()
  resolve()
  await endNext()
  expect(begun).toEqual([0])
})

it('the visit queue refuses URLs of a pausing host, and returns those that wait', async () => {
  const { queue, begun, add, endNext } = openQueue()
  add(1)
  add(2)
  add(3, 'http://b.test/')
  expect(queue.pause('a.test', 60_000)).toEqual([2])
  expect(add(4)).toBe(false)
  await endNext()
  expect(begun).toEqual([1, 3])
})

it('the visit queue accepts URLs of a host again after its pause', () => {
  const { queue, begun, add } = openQueue()
  queue.pause('a.test', 0)
  expect(add(1)).toBe(true)
  expect(begun).toEqual([1])
})

it('the visit queue stores the latest 1,000 pauses', () => {
  const { queue, add } = openQueue()
  for (let host = 0; host <= 1_000; host++) queue.pause(`${host}.test`, 60_000)
  expect([add(1, 'http://0.test/'), add(2, 'http://1.test/'), add(3, 'http://1000.test/')]).toEqual(
    [true, false, false],
  )
})

it('the visit queue treats a renewed pause as the latest, and drops no other for it', () => {
  const { queue, add } = openQueue()
  for (let host = 0; host < 1_000; host++) queue.pause(`${host}.test`, 60_000)
  queue.pause('1.test', 60_000)
  expect(add(1, 'http://0.test/')).toBe(false)
  for (const host of ['new.test', 'newer.test']) queue.pause(host, 60_000)
  const hosts = ['http://0.test/', 'http://1.test/', 'http://2.test/', 'http://3.test/']
  expect(hosts.map((url, id) => add(id, url))).toEqual([true, false, true, false])
})
