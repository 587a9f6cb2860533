import type { LookupAddress } from 'node:dns'
import { ipFamily } from '../../url/ip-family.ts'

/** A family of IP addresses. */
export type IpFamily = 4 | 6

/** The addresses that a host and port are at, whatever its name leads to. */
interface Pin {
  /** Host and port, as `hostAndPort` returns them. */
  readonly place: string
  readonly addresses: readonly LookupAddress[]
}

/** `host:port:address`, with further addresses after commas; those of IPv6 with or without brackets. */
const PIN = /^([^:[\]/?#@\s]+):(\d{1,5}):([\da-f.:[\],]+)$/i

/** Parses `host:port:address[,address]...`, as curl writes it; undefined for any other text. */
export function parsePin(text: string): Pin | undefined {
  const [, host = '', port = '', list = ''] = PIN.exec(text) ?? []
  const hostname = URL.parse(`http://${host}:${port}/`)?.hostname ?? ''
  if (hostname === '' || ipFamily(hostname) > 0) return undefined
  const addresses = list.split(',').map((each) => {
    const address = each.replace(/^\[(.*)\]$/, '$1')
    return { address, family: ipFamily(address) }
  })
  const isValid = addresses.every(({ family }) => family > 0)
  return isValid ? { place: `${hostname}:${Number(port)}`, addresses } : undefined
}

/** The fixed addresses of hosts, by `--resolve`. */
export class PinnedAddresses {
  readonly #byPlace: ReadonlyMap<string, readonly LookupAddress[]>

  /** @param texts as `parsePin` takes them; the last one for a host and port counts */
  constructor(texts: readonly string[]) {
    const pins = texts.flatMap((text) => parsePin(text) ?? [])
    this.#byPlace = new Map(pins.map(({ place, addresses }) => [place, addresses]))
  }

  /** Returns the addresses that a host and port are fixed to, if they are. */
  of(place: string): readonly LookupAddress[] | undefined {
    return this.#byPlace.get(place)
  }
}
