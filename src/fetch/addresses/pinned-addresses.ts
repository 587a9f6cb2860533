import type { LookupAddress } from 'node:dns'
import { ipFamily, withoutBrackets } from '../../url/ip-family.ts'

/** A family of IP addresses. */
export type IpFamily = 4 | 6

/** The fixed addresses of a host and port, which replace those of its name. */
interface Pin {
  /** Host and port, as `hostAndPort` returns them. */
  readonly place: string
  readonly addresses: readonly LookupAddress[]
}

/**
 * `host:port:address`, with further addresses after commas; IPv6 addresses with or without brackets. Not with `*` or `+`
 * before the host, which mean more to curl.
 */
const PIN = /^([\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*):(\d{1,5}):([\da-f.:[\],]+)$/iu

/** Parses `host:port:address[,address]...`, the format of curl's `--resolve`; undefined for any other text. */
export function parsePin(text: string): Pin | undefined {
  const [, host = '', port = '', list = ''] = PIN.exec(text) ?? []
  const hostname = URL.parse(`http://${host}:${port}/`)?.hostname ?? ''
  if (hostname === '' || ipFamily(hostname) > 0) return undefined
  const addresses = list.split(',').map((each) => {
    const address = withoutBrackets(each)
    return { address, family: ipFamily(address) }
  })
  const isValid = addresses.every(({ family }) => family > 0)
  return isValid ? { place: `${hostname}:${Number(port)}`, addresses } : undefined
}

/** The fixed addresses of hosts (`--resolve`). */
export class PinnedAddresses {
  readonly #byPlace: ReadonlyMap<string, readonly LookupAddress[]>

  /** @param texts in the format of `parsePin`; of several for the same host and port, the last counts */
  constructor(texts: readonly string[]) {
    const pins = texts.flatMap((text) => parsePin(text) ?? [])
    this.#byPlace = new Map(pins.map(({ place, addresses }) => [place, addresses]))
  }

  /** Returns the fixed addresses of a host and port, if any. */
  of(place: string): readonly LookupAddress[] | undefined {
    return this.#byPlace.get(place)
  }
}
