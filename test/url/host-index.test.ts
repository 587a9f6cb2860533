import { describe, expect, it } from 'vitest'
import { HostIndex } from '../../src/url/host-index.ts'

describe('HostIndex', () => {
  it('numbers hosts in order, once each', () => {
    const hosts = ['b.test', 'a.test:8080', '[::1]:80', 'b.test', 'a.test']
    const index = new HostIndex(HostIndex.allocate(hosts))
    expect(hosts.map((host) => index.find(host))).toEqual([0, 1, 2, 0, 3])
    expect([0, 1, 2, 3].map((number) => index.at(number))).toEqual([...new Set(hosts)])
    expect(index.size).toBe(4)
  })

  it('finds no other host, neither a longer nor a shorter one', () => {
    const index = new HostIndex(HostIndex.allocate(['a.test', 'bb.test']))
    const others = ['', 'a', 'a.tes', 'a.test:80', 'a.testbb.test', 'b.test', 'A.test']
    expect(others.map((host) => index.find(host))).toEqual(others.map(() => undefined))
    expect(new HostIndex(HostIndex.allocate([])).find('a.test')).toBeUndefined()
  })

  it('finds each of 20,000 hosts, for all that use its memory', () => {
    const hosts = Array.from({ length: 20_000 }, (_, host) => `www.host-${host}.test`)
    const index = new HostIndex(structuredClone(HostIndex.allocate(hosts)))
    expect(hosts.every((host, number) => index.find(host) === number)).toBe(true)
    expect(hosts.some((host) => index.find(`${host}.`) !== undefined)).toBe(false)
  })
})
