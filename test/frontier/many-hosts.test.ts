import { expect, it } from 'vitest'
import { found, openFrontier } from './open-frontier.ts'

const PAGES = 4

/** Microseconds of the processor per URL, with a delay that keeps each host asleep most of the time. */
function costPerUrl(hosts: number): number {
  const frontier = openFrontier({ delay: 1_000 })
  for (let host = 0; host < hosts; host++) {
    for (let page = 0; page < PAGES; page++) frontier.addSeed(`http://h${host}.test/${page}`, 0)
  }
  const before = process.cpuUsage()
  let now = 0
  let visits = 0
  while (frontier.unfinished > 0) {
    const orders = frontier.take(64, now)
    for (const order of orders) {
      if (order.type !== 'visit') continue
      visits++
      frontier.visited(order.crawlUrl.id, found(), now)
    }
    now = orders.length > 0 ? now + 1 : Math.max(now, frontier.wakeAt ?? now)
  }
  expect(visits).toBe(hosts * PAGES)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / visits
}

it('schedules 10,000 hosts at little more per URL than 1,000', () => {
  costPerUrl(200)
  // The least disturbed of several: other tests run beside this one.
  const least = (hosts: number) => Math.min(...[1, 2].map(() => costPerUrl(hosts)))
  expect(least(10_000) / least(1_000)).toBeLessThan(2)
})
