import { describe, expect, it } from 'vitest'
import { SeedTracker } from '../../../src/crawl/seeds/seed-tracker.ts'
import { HostIndex } from '../../../src/url/host-index.ts'
import { parseSeed } from '../../../src/url/seed.ts'
import { growth, SLACK } from '../../support/growth.ts'

describe('SeedTracker', () => {
  it('returns the hosts of seeds and their fallbacks, and the password of each origin', () => {
    const typed = ['localhost:80', 'https://me:pw@example.com/a', 'http://example.com/b']
    const { setup } = new SeedTracker(typed.map(parseSeed), true)
    const hosts = new HostIndex(setup.seedHosts.hosts)
    const all = Array.from({ length: hosts.size }, (_, number) => hosts.at(number))
    expect(all).toEqual(['localhost:80', 'example.com:443', 'example.com:80'])
    expect(setup.authorizations).toEqual({ 'https://example.com': 'Basic bWU6cHc=' })
  })

  it("recognizes the origins of seeds and their redirects in time that doesn't grow with their number", async () => {
    const ask = (size: number) => {
      const origins = Array.from({ length: size }, (_, host) => `https://host${host}.test`)
      const seeds = new SeedTracker(
        origins.map((origin) => parseSeed(`${origin}/`)),
        true,
      )
      const targets = origins.map((origin) => origin.replace('host', 'www.host'))
      for (const target of targets) seeds.countAsSeed(`${target}/a`)
      return targets.map((target) => seeds.hasOrigin(target))
    }
    expect(ask(2)).toEqual([true, true])
    expect(await growth(ask, 200)).toBeLessThan(SLACK)
  })
})
