import { expect, it } from 'vitest'
import { growth, SLACK } from '../support/growth.ts'
import { found, openFrontier } from './open-frontier.ts'

const PAGES = 4

/** Hands out all pages, with a delay that keeps each host waiting most of the time. */
function crawl(hosts: number): void {
  const frontier = openFrontier({ delay: 1_000 })
  for (let host = 0; host < hosts; host++) {
    for (let page = 0; page < PAGES; page++) frontier.addSeed(`http://h${host}.test/${page}`, 0)
  }
  let now = 0
  let visits = 0
  while (frontier.unfinished > 0) {
    const actions = frontier.take(64, now)
    for (const action of actions) {
      if (action.type !== 'visit') continue
      visits++
      frontier.visited(action.crawlUrl.id, found(), now)
    }
    now = actions.length > 0 ? now + 1 : Math.max(now, frontier.wakeAt ?? now)
  }
  expect(visits).toBe(hosts * PAGES)
}

it('scheduling 2,400 hosts takes little more time per URL than 75 hosts', async () => {
  expect(await growth(crawl, 75)).toBeLessThan(SLACK)
})
