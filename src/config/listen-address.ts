import * as v from 'valibot'
import { ipFamily, withoutBrackets } from '../url/ip-family.ts'
import { count } from './quantity-schemas.ts'

/** The address and the port that a server listens on. */
export interface ListenAddress {
  readonly address: string
  readonly port: number
}

const LOOPBACK = '127.0.0.1'
const MAX_PORT = 65_535

/** Schema of a port, or of an IP address and a port. */
export function listenAddress() {
  const expected = 'a port from 1 to 65535, or an IP address and a port such as 0.0.0.0:9464'
  return v.pipe(
    v.union([count(1, MAX_PORT), v.string()], expected),
    v.check((value) => parseListenAddress(value) !== undefined, expected),
  )
}

/**
 * Parses a port, or an IP address and a port such as `0.0.0.0:9464` or `[::]:9464`. Returns undefined for anything else.
 * A port alone is one of this machine only.
 */
export function parseListenAddress(value: string | number): ListenAddress | undefined {
  const [, host = LOOPBACK, digits = ''] = /^(?:([\d.]+|\[.*\]):)?(\d{1,5})$/.exec(`${value}`) ?? []
  const address = withoutBrackets(host)
  const port = Number(digits)
  return ipFamily(address) > 0 && port > 0 && port <= MAX_PORT ? { address, port } : undefined
}
