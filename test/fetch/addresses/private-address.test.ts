import { describe, expect, it } from 'vitest'
import { addressBytes, isPublicAddress } from '../../../src/fetch/addresses/private-address.ts'

describe('isPublicAddress', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('is true of %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['the unspecified address', '0.0.0.0'],
    ['an address of this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['another loopback address', '127.255.255.254'],
    ['a private network', '10.0.0.1'],
    ['a private network', '172.16.0.1'],
    ['a private network', '172.31.255.255'],
    ['a private network', '192.168.1.1'],
    ['shared address space', '100.64.0.1'],
    ["shared address space, with a cloud's metadata", '100.100.100.200'],
    ['a link-local address', '169.254.0.1'],
    ['the metadata of most clouds', '169.254.169.254'],
    ['the metadata of a cloud at a reserved address', '192.0.0.192'],
    ['the metadata of a cloud at a public address', '168.63.129.16'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['a reserved address', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['the unspecified IPv6 address', '::'],
    ['loopback in IPv6', '::1'],
    ['loopback as an IPv4-mapped address', '::ffff:127.0.0.1'],
    ['a private IPv4-mapped address, in hex', '::ffff:a00:1'],
    ['cloud metadata as an IPv4-mapped address', '::ffff:169.254.169.254'],
    ['loopback as an IPv4-compatible address', '::127.0.0.1'],
    ['loopback as an IPv4-compatible address, in hex', '::7f00:1'],
    ['an IPv4-compatible public address, a deprecated form', '::808:808'],
    ['an IPv4-translated address (RFC 6145)', '::ffff:0:127.0.0.1'],
    ['loopback through NAT64', '64:ff9b::127.0.0.1'],
    ['cloud metadata through NAT64', '64:ff9b::a9fe:a9fe'],
    ['a local-use NAT64 address', '64:ff9b:1::8.8.8.8'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['a unique-local address', 'fd00::1'],
    ['the metadata of a cloud in IPv6', 'fd00:ec2::254'],
    ['a link-local address in IPv6', 'fe80::1'],
    ['a link-local address with a zone', 'fe80::1%eth0'],
    ['a site-local address', 'fec0::1'],
    ['multicast in IPv6', 'ff02::1'],
    ['documentation in IPv6', '2001:db8::1'],
    ['an address outside of the assigned ranges', '4000::1'],
    ['a name', 'example.com'],
    ['nothing', ''],
  ])('is false of %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('addressBytes', () => {
  it('returns 4 or 16 bytes, and undefined for names', () => {
    expect(addressBytes('127.0.0.1')).toEqual([127, 0, 0, 1])
    expect(addressBytes('::1')).toEqual([...Array(15).fill(0), 1])
    expect(addressBytes('127.1')).toBeUndefined()
    expect(addressBytes('example.com')).toBeUndefined()
  })
})
