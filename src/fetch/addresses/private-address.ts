import ipaddr from 'ipaddr.js'
import { ipFamily } from '../../url/ip-family.ts'

/** Azure serves its virtual machines (metadata, DNS) at this address in a public range. */
const METADATA = '168.63.129.16'

/** The range of IPv6 from which public addresses are assigned (RFC 4291, 2.4, and IANA's registry). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** NAT64's well-known prefix (RFC 6052, 2.1). The last 32 bits of such addresses are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Returns true if an IP address is public: not private, loopback, link-local, unique-local, shared (RFC 6598),
 * multicast, reserved, or of a cloud's metadata service. IPv6 addresses that contain an IPv4 address (mapped, NAT64)
 * are judged by it. The deprecated IPv4-compatible, 6to4 and Teredo addresses are not public. Returns false for a text
 * that isn't an address.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address)
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address())
  if (address.match(NAT64)) {
    return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  }
  return address.range() === 'unicast' && address.match(GLOBAL_UNICAST)
}

/** Names that every resolver maps to this machine (RFC 6761, 6.3). */
const LOCAL = /(?:^|\.)localhost$/

/** Returns true if the host name of a URL is a private address, or a name of this machine. Needs no look-up. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$|\.$/g, '')
  return ipFamily(name) ? !isPublicAddress(name) : LOCAL.test(name)
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== METADATA
}

/** Returns true if a text is a loopback address. */
export function isLoopbackAddress(text: string): boolean {
  return ipFamily(text) > 0 && ipaddr.parse(text).range() === 'loopback'
}

/**
 * Returns a function that checks whether an address belongs to a network.
 * @param text a network such as `10.0.0.0/8`, or a single address; undefined is returned for any other text
 */
export function networkOf(text: string): ((address: string) => boolean) | undefined {
  const isAddress = ipFamily(text) > 0
  if (!isAddress && !ipaddr.isValidCIDR(text)) return undefined
  const network = ipaddr.parse(text.replace(/\/.*/, ''))
  const bits = isAddress ? network.toByteArray().length * 8 : Number(text.replace(/.*\//, ''))
  return (other) => {
    if (!ipFamily(other)) return false
    const address = ipaddr.parse(other)
    return address.kind() === network.kind() && address.match(network, bits)
  }
}

/** Returns the 4 or 16 bytes of an IP address; undefined for other names. */
export function addressBytes(text: string): readonly number[] | undefined {
  return ipFamily(text) ? ipaddr.parse(text).toByteArray() : undefined
}
