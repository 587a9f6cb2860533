import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type SiteServer, startServer } from '../../support/site-server.ts'
import { runAndLog } from '../run-and-log.ts'

const CHAINS = 12
const LENGTH = 6

/** A host whose only page links to another host. */
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

it('requests the robots.txt of a host on the connection that its pages use', async () => {
  const rounds: SiteServer[][] = []
  for (let round = 0; round < LENGTH; round++) {
    const starts = Array.from({ length: CHAINS }, (_, chain) =>
      startHost(round * CHAINS + chain, rounds[0]?.[chain]),
    )
    rounds.unshift(await Promise.all(starts))
  }
  const seeds = rounds[0]?.map(({ url }) => url) ?? []
  // So few requests at a time that both workers start.
  const spread = { scope: 'any', depth: 9, allowPrivate: true } as const
  const { visits } = await runAndLog({ seeds, ...spread, workers: 2, concurrency: 8 })
  expect(visits).toHaveLength(CHAINS * LENGTH)
  // Only when many hosts are known, each has a worker of its own.
  const later = rounds.slice(2).flat()
  const onOne = later.filter(
    ({ requests: [rules, page] }) => rules?.clientPort === page?.clientPort,
  )
  // By chance, it would be half of them.
  expect(onOne.length).toBeGreaterThan(0.8 * later.length)
  await Promise.all(rounds.flat().map((server) => server.close()))
})
