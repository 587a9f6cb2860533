import { describe, expect, it } from 'vitest'
import { AddressLookups } from '../../../src/crawl/dns/address-lookups.ts'
import type { IpFamily } from '../../../src/fetch/addresses/pinned-addresses.ts'
import { CommitBarrier } from '../../../src/state/commit-barrier.ts'

/** Returns the address that is found for a host. */
async function addressOf(host: string, resolve: readonly string[], family?: IpFamily) {
  const found = new Map<string, string | undefined>()
  const lookups = new AddressLookups(
    {
      barrier: new CommitBarrier(() => {}),
      config: { connectTimeout: 2_000 },
      connection: { family, resolve },
      frontier: { setAddress: (name, address) => void found.set(name, address) },
    },
    () => {},
  )
  await lookups.find(host)
  return found.get(host)
}

describe('AddressLookups', () => {
  it('finds the fixed address of a host and port', async () => {
    const pins = ['a.invalid:8080:192.0.2.9,192.0.2.1', 'a.invalid:443:192.0.2.3']
    expect(await addressOf('a.invalid:8080', pins)).toBe('192.0.2.1')
    expect(await addressOf('a.invalid', pins)).toBe('192.0.2.3')
    expect(await addressOf('a.invalid', ['a.invalid:80:192.0.2.4'])).toBe('192.0.2.4')
  })

  it('finds an address of the only family that is connected to', async () => {
    const pins = ['a.invalid:80:192.0.2.1,2001:db8::1']
    expect(await addressOf('a.invalid', pins, 4)).toBe('192.0.2.1')
    expect(await addressOf('a.invalid', pins, 6)).toBe('2001:db8::1')
    expect(await addressOf('localhost', [], 4)).toBe('127.0.0.1')
  })
})
