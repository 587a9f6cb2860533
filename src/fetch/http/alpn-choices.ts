import { BoundedMap } from '../../collections/bounded-map.ts'
import type { FetchFailure } from '../fetch-failure.ts'
import { connectionReset } from './network-failure.ts'

export type Protocol = 'h2' | 'http/1.1'

/** Maximum number of origins whose choice is remembered. */
const MAX_ORIGINS = 4_000

/** The protocol that requests to an origin use. */
interface Choice {
  readonly protocol: Protocol
  /** The error of HTTP/2, if it has failed. */
  readonly failure?: Error
  /** True if the server has no other protocol. */
  readonly isOnly?: boolean
}

/** The protocol to use with each origin: the one that its server chose by ALPN (RFC 7301), or the one that works. */
export class AlpnChoices {
  readonly #choices = new BoundedMap<string, Choice>(MAX_ORIGINS)

  /** Returns the protocol of an origin; undefined if it must be negotiated first. */
  protocolOf(origin: string): Protocol | undefined {
    return this.#choices.get(origin)?.protocol
  }

  /** Remembers the protocol that a server has chosen. */
  remember(origin: string, protocol: Protocol): void {
    this.#choices.set(origin, { protocol })
  }

  /** Notes that the HTTP/2 of a server failed. HTTP/1.1 is used from now on, unless the server has only HTTP/2. */
  avoidHttp2(origin: string, failure: Error): void {
    const choice = this.#choices.get(origin)
    if (choice?.protocol === 'h2' && choice.isOnly !== true) {
      this.#choices.set(origin, { protocol: 'http/1.1', failure })
    }
  }

  /**
   * Forgets the protocol of a server that refuses it now. If HTTP/1.1 was tried because HTTP/2 had failed, remembers
   * that the server has only HTTP/2.
   * @returns the error to fail the request with: the earlier error of HTTP/2, if there was one
   */
  handleRefusal(origin: string, protocol: Protocol): Error {
    const { failure } = this.#choices.get(origin) ?? {}
    if (protocol === 'http/1.1' && failure !== undefined) {
      this.#choices.set(origin, { protocol: 'h2', isOnly: true, failure })
      return failure
    }
    this.#choices.delete(origin)
    return otherProtocol()
  }
}

function otherProtocol(): FetchFailure {
  return connectionReset('the server has chosen another version of HTTP than before')
}
