import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type SiteServer, startServer } from '../../support/site-server.ts'
import { runAndLog } from '../run-and-log.ts'

/** Number of chains of hosts: enough that both workers start. Each host has a worker of its own. */
const CHAINS = 12
/**
 * Number of chains that continue after two hosts: few enough that no worker ever has much more to do than the other.
 */
const LONG_CHAINS = 3
const LENGTH = 16

/** Starts a host whose only page links to another host. */
function startHost(index: number, next: SiteServer | undefined): Promise<SiteServer> {
  const link = next === undefined ? 'The end' : `<a href="${next.url}/">next</a>`
  return startServer(
    async ({ url }, response) => {
      await sleep(10)
      if (url === '/') response.setHeader('content-type', 'text/html').end(link)
      else response.end('User-agent: *')
    },
    { host: `127.0.1.${index + 1}` },
  )
}

it('the robots.txt of a host is requested on the connection that its pages use', async () => {
  const rounds: SiteServer[][] = []
  for (let round = LENGTH - 1; round >= 0; round--) {
    const starts = Array.from({ length: round < 2 ? CHAINS : LONG_CHAINS }, (_, chain) =>
      startHost(round * CHAINS + chain, rounds[0]?.[chain]),
    )
    rounds.unshift(await Promise.all(starts))
  }
  const seeds = rounds[0]?.map(({ url }) => url) ?? []
  // So few requests at a time that both workers start.
  const spread = { scope: 'any', depth: LENGTH, allowPrivate: true } as const
  const { visits } = await runAndLog({ seeds, ...spread, workers: 2, concurrency: 8 })
  expect(visits).toHaveLength(2 * CHAINS + (LENGTH - 2) * LONG_CHAINS)
  const later = rounds.slice(2).flat()
  const onOne = later.filter(
    ({ requests: [rules, page] }) => rules?.clientPort === page?.clientPort,
  )
  // By chance, half of them would be on the same connection.
  expect(onOne.length).toBeGreaterThan(0.8 * later.length)
  await Promise.all(rounds.flat().map((server) => server.close()))
})
