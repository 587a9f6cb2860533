import { describe, expect, it } from 'vitest'
import { VisitIterator } from '../../src/output/visit-iterator.ts'
import { recordOf } from '../support/record-of.ts'

const records = (...urls: readonly (string | number)[]) =>
  urls.map((url) => ({ record: recordOf({ url: `${url}` }) }))
const silent = { drained() {}, closed() {}, failed() {} }

describe('VisitIterator', () => {
  it('returns the visits in order, whether the reader starts first or last', async () => {
    const queue = new VisitIterator()
    queue.open(silent)
    const first = queue.next()
    queue.write(records('a', 'b'))
    queue.write(records('c'))
    await queue.close()
    expect(await first).toMatchObject({ done: false, value: { url: 'a' } })
    const rest: string[] = []
    for await (const { url } of queue) rest.push(url)
    expect(rest).toEqual(['b', 'c'])
  })

  it('serves a reader that requests several visits at once', async () => {
    const queue = new VisitIterator()
    queue.open(silent)
    const requested = [queue.next(), queue.next(), queue.next()]
    queue.write(records('a', 'b'))
    await queue.close()
    const answers = await Promise.all(requested)
    expect(answers.map(({ value }) => value?.url)).toEqual(['a', 'b', undefined])
  })

  it('is congested by many visits, and reports when there is space', async () => {
    const queue = new VisitIterator()
    let drained = 0
    queue.open({ ...silent, drained: () => void drained++ })
    queue.write(records(...Array(1_000).keys()))
    expect(queue.congested).toBe(true)
    await queue.next()
    expect(queue.congested).toBe(false)
    expect(drained).toBe(1)
  })

  it('is congested by a few long visits', async () => {
    const queue = new VisitIterator()
    queue.open(silent)
    const record = recordOf({ data: { text: 'x'.repeat(2 ** 25) } })
    queue.write([{ record }, { record }])
    expect(queue.congested).toBe(true)
    await queue.next()
    expect(queue.congested).toBe(false)
  })

  it('reports to the crawl that the reader has left its loop', async () => {
    const queue = new VisitIterator()
    let closed = 0
    queue.open({ ...silent, closed: () => void closed++ })
    queue.write(records('a', 'b', 'c'))
    for await (const { url } of queue) if (url === 'b') break
    expect(closed).toBe(1)
    expect(await queue.next()).toEqual({ done: true, value: undefined })
    expect(queue.congested).toBe(false)
  })

  it('reports a reader that left before the crawl began', async () => {
    const queue = new VisitIterator()
    let closed = 0
    await queue.return()
    queue.open({ ...silent, closed: () => void closed++ })
    expect(closed).toBe(1)
  })
})
