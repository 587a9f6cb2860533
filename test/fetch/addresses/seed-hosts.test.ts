import { describe, expect, it } from 'vitest'
import { SeedHosts } from '../../../src/fetch/addresses/seed-hosts.ts'

describe('SeedHosts', () => {
  it('shares the first finding with all threads', () => {
    const memory = SeedHosts.allocate(['a.test', 'b.test:8080', 'a.test'])
    const [one, two] = [new SeedHosts(memory), new SeedHosts(memory)]
    expect(one.isPrivate('a.test')).toBeUndefined()
    expect(one.record('a.test', false)).toBe(false)
    expect(two.record('a.test', true)).toBe(false)
    expect(two.isPrivate('a.test')).toBe(false)
    expect(two.record('b.test:8080', true)).toBe(true)
    expect(one.record('b.test:8080', false)).toBe(true)
    expect(one.isPrivate('b.test:8080')).toBe(true)
  })

  it('reports each finding once, and keeps findings of earlier runs', () => {
    const hosts = new SeedHosts(SeedHosts.allocate(['a.test:80', 'b.test:80', 'c.test:80']))
    hosts.record('a.test:80', false)
    hosts.record('b.test:80', true)
    for (const host of ['c.test:80', 'other.test:80']) hosts.addReported({ host, isPrivate: false })
    expect([hosts.isPrivate('c.test:80'), hosts.isPrivate('other.test:80')]).toEqual([false, false])
    const found = [
      { host: 'a.test:80', isPrivate: false },
      { host: 'b.test:80', isPrivate: true },
    ]
    expect(hosts.takeFindings()).toEqual(found)
    expect(hosts.takeFindings()).toEqual([])
    hosts.reportAgain()
    expect(hosts.takeFindings()).toEqual([...found, { host: 'c.test:80', isPrivate: false }])
  })

  it('allows no other host', () => {
    const hosts = new SeedHosts(SeedHosts.allocate(['a.test']))
    expect(hosts.isPrivate('a.test:8080')).toBe(false)
    expect(hosts.record('a.test:8080', true)).toBe(false)
  })
})
