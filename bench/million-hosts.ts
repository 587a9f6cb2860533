import { SqliteFrontier } from '../src/frontier/sqlite/sqlite-frontier.ts'
import { cpuSince } from './measure/cpu-time.ts'
import { parseFlags } from './measure/flags.ts'

// node bench/million-hosts.ts [--hosts 1000000] [--urls 2] [--visits 200000] [--delay 1000]
// Measures the cost of adding URLs of many hosts to a frontier and of dispatching them, and the memory, as the number
// of hosts grows. No request is made. Time is simulated, so that hosts wait for their delay.

const { hosts, urls, visits, delay } = parseFlags({
  ...{ hosts: 1_000_000, urls: 2, visits: 200_000, delay: 1_000 },
})
const AT_A_TIME = 64

const frontier = new SqliteFrontier({
  ...{ depth: 10, perHost: 6, delay, ignoreRobots: true, traps: true },
})
let now = 0
for (let part = 1; part <= 10; part++) {
  const [first, last] = [((part - 1) * hosts) / 10, (part * hosts) / 10]
  measure(`taken in, of hosts up to ${last}`, () => {
    for (let host = first; host < last; host++) {
      for (let page = 0; page < urls; page++) {
        frontier.addSeed(`http://www.host-${host}.test/articles/${page}.html`, now)
      }
    }
    return (last - first) * urls
  })
}
for (let part = 1; part <= 5; part++) {
  measure(`handed out, ${part} of 5 parts`, () => visit(visits / 5))
}
frontier.close()

/** Visits up to `count` URLs. Returns the number of visits. */
function visit(count: number): number {
  let done = 0
  while (done < count && frontier.unfinished > 0) {
    const orders = frontier.take(AT_A_TIME, now)
    for (const order of orders) {
      if (order.type !== 'visit') continue
      done++
      frontier.visited(order.crawlUrl.id, { discovered: [], nearer: [], sameDepth: [] }, now)
    }
    now = orders.length > 0 ? now + 1 : Math.max(now, frontier.wakeAt ?? now)
  }
  return done
}

function measure(name: string, work: () => number): void {
  const before = process.cpuUsage()
  const count = work()
  const each = (cpuSince(before) / count).toFixed(1)
  const rss = (process.memoryUsage().rss / 2 ** 20).toFixed(0)
  console.log(
    `${name}: ${each} µs per URL, ${frontier.hosts.inMemory} hosts in memory, RSS ${rss} MiB`,
  )
}
