// Loaded into a crawl by `--import`. Names that end in `.test` resolve alternately to a public and to a private
// address, as those of a hostile site may. A server on loopback represents the public address. No name is really
// looked up, and no connection leaves loopback.
import { Resolver } from 'node:dns/promises'
import { type LookupFunction, Socket } from 'node:net'

/** An address with a public prefix that nobody uses any more (RFC 3701). */
const PUBLIC = '3ffe::1'
const STAND_IN = '127.0.0.3'
const PRIVATE = '127.0.0.2'

let lookUps = Number(process.pid % 2)

function unknownName(name: string): never {
  throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name })
}

/** Returns whether the next name resolves to the public address. Names with `mixed` resolve to both. */
function nextIsPublic(): boolean {
  return ++lookUps % 2 === 1
}

const publicNow = new Map<string, boolean>()

Object.assign(Resolver.prototype, {
  async resolve4(name: string): Promise<string[]> {
    if (!name.endsWith('.test')) return unknownName(name)
    publicNow.set(name, nextIsPublic())
    return name.startsWith('mixed') || publicNow.get(name) === false ? [PRIVATE] : unknownName(name)
  },
  async resolve6(name: string): Promise<string[]> {
    if (!name.endsWith('.test')) return unknownName(name)
    return name.startsWith('mixed') || publicNow.get(name) === true ? [PUBLIC] : unknownName(name)
  },
})

/** Returns a look-up that replaces the public address by that of the stand-in. */
function onLoopback(lookup: LookupFunction, socket: Socket): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const all = typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : found
      if (error !== null || !all.some(({ address }) => address === PUBLIC))
        return callback(error, found, family)
      Object.defineProperty(socket, 'remoteAddress', { value: PUBLIC })
      const standIn = all.map((each) =>
        each.address === PUBLIC ? { address: STAND_IN, family: 4 } : each,
      )
      if (options.all === true) callback(null, standIn)
      else callback(null, STAND_IN, 4)
    })
}

const { connect } = Socket.prototype
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const [first] = args
  const options: unknown = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object' && options !== null && 'lookup' in options) {
    const { lookup } = options
    if (typeof lookup === 'function')
      Object.assign(options, { lookup: onLoopback(lookup as LookupFunction, this) })
  }
  return Reflect.apply(connect, this, args)
} as typeof connect
