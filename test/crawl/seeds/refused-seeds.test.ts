import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { callCrawl } from '../../support/call-cli.ts'
import { crawlSite, serveSite } from '../../support/crawl-site.ts'
import { freePort } from '../../support/listen.ts'

/** Serves paths that respond with the status they contain; `/to/401` redirects to `/401`. */
const site = () => {
  const answer = (status: number) => (_: unknown, response: ServerResponse) =>
    response.writeHead(status, status === 302 ? { location: '/401' } : {}).end()
  return serveSite({
    ...{ '/': answer(200), '/401': answer(401), '/403': answer(403), '/429': answer(429) },
    '/503': answer(503),
    '/to/401': answer(302),
    '/nowhere': (_, response) => void response.writeHead(302).end(),
  })
}

async function refusalOf(...paths: readonly string[]) {
  const server = await site()
  const seeds = paths.map((path) => server.url + path)
  const { summary } = await crawlSite(server, { seeds, retries: 0, ignoreRobots: true })
  return summary.seedRefusal
}

describe('the summary of refused seeds', () => {
  it.each([
    [['/401'], 401],
    [['/403', '/403'], 403],
    [['/429'], 429],
    [['/503'], 503],
    [['/to/401'], 401],
    [['/401', '/'], undefined],
    [['/401', '/403'], undefined],
    [['/none', '/none2'], 404],
  ])('has the 4xx or 5xx status that all seeds got: %j', async (paths, status) => {
    expect(await refusalOf(...paths)).toBe(status)
  })

  it('has no status if a seed could not be fetched', async () => {
    const server = await site()
    const seeds = [`${server.url}/403`, `http://127.0.0.1:${await freePort()}/`]
    const { summary } = await crawlSite(server, { seeds, retries: 0, ignoreRobots: true })
    expect(summary).toMatchObject({ seedsAnswered: 1 })
    expect(summary.seedRefusal).toBeUndefined()
  })

  it('advises to log in, to slow down or to check the URLs, and lists seeds with different statuses or unusable responses', async () => {
    const { url } = await site()
    const hints = async (...paths: readonly string[]) => {
      const seeds = paths.map((path) => (path.startsWith('/') ? url + path : path))
      const args = [...seeds, '--retries', '0', '--ignore-robots', '--log-level', 'warn']
      return (await callCrawl(args)).stderr
    }
    expect(await hints('/401')).toContain('all seeds answered 401: log in with --auth')
    const basic = 'check the user and the password; if the site wants neither Basic'
    expect(await hints('/401', '--auth', 'me:wrong')).toContain(`answered 401: ${basic}`)
    expect(await hints(`${url.replace('//', '//me:wrong@')}/401`)).toContain(basic)
    expect(await hints('/403')).toContain('-H, or try another --user-agent if the site refuses')
    expect(await hints('/429')).toContain('all seeds answered 429: send fewer requests with --rate')
    expect(await hints('/none', '/none2')).toContain('all seeds answered 404: check their URLs')
    expect(await hints('/nowhere')).toContain(
      `Seed ${url}/nowhere: expected a Location header, got none`,
    )
    expect(await hints('/')).toBe('')
    const mixed = await hints('/503', '/401')
    expect(mixed).toContain(`Seed ${url}/401: 401 Unauthorized`)
    expect(mixed).toContain(`Seed ${url}/503: 503 Service Unavailable`)
    expect(mixed).not.toContain('all seeds')
  })
})
