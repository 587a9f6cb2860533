import { expect, it } from 'vitest'
import { SkipLog } from '../../../src/crawl/stats/skip-log.ts'
import type { OutputEvents, Sink } from '../../../src/output/output.ts'

/** An output whose reader takes one line at a time, and reports that. */
class SlowOutput implements Sink {
  readonly lines: string[] = []
  congested = false
  mostWaiting = 0
  #waiting = 0
  #events: OutputEvents | undefined

  open(events: OutputEvents): void {
    this.#events = events
  }

  write(lines: readonly string[]): void {
    this.lines.push(...lines)
    this.mostWaiting = Math.max(this.mostWaiting, ++this.#waiting)
    this.congested = true
    setImmediate(() => {
      this.#waiting = 0
      this.congested = false
      this.#events?.drained()
    })
  }

  async sync(): Promise<Record<string, number>> {
    return {}
  }

  async close(): Promise<void> {}
}

const memory = { markSkipsCounted: () => [true] }

const events = { drained: () => {}, closed: () => {}, failed: () => {} }

function* leftOvers(count: number) {
  for (let page = 0; page < count; page++) yield { url: `http://a.test/${page}`, depth: 1 }
}

it('URLs left in the queue are written no faster than they are read', async () => {
  const output = new SlowOutput()
  const skips = new SkipLog(output, memory)
  skips.open(events)
  await skips.addLeftOvers(50, leftOvers(50))
  expect(output.lines).toHaveLength(50)
  expect(output.mostWaiting).toBe(1)
  expect(skips.counts.get('limit')).toBe(50)
})

it('URLs left in the queue are counted without reading them if there is no output', async () => {
  const skips = new SkipLog(undefined, memory)
  const looked = leftOvers(1)
  looked.next = () => {
    throw new Error('looked')
  }
  await skips.addLeftOvers(7, looked)
  expect(skips.counts.get('limit')).toBe(7)
})

it('URLs left in the queue are added to those that a limit rejected before', async () => {
  const skips = new SkipLog(undefined, memory)
  skips.add({ url: 'http://a.test/', depth: 1, reason: 'limit' })
  await skips.addLeftOvers(3, leftOvers(3))
  expect(skips.counts.get('limit')).toBe(4)
})
