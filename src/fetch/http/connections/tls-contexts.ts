import type { SecureContext } from 'node:tls'
import { loadTls } from '../../../runtime/load-tls.ts'
import type { ClientCertificate, TlsCertificates } from '../../certificates.ts'
import { TlsSessions } from './tls-sessions.ts'

/** The certificates and sessions that TLS connections with the same client certificate share. */
class TlsContext {
  readonly sessions = new TlsSessions()
  readonly #authorities: string | undefined
  readonly #client: ClientCertificate | undefined
  #secureContext: SecureContext | undefined

  constructor(authorities?: string, client?: ClientCertificate) {
    this.#authorities = authorities
    this.#client = client
  }

  /** Node's context, created at the first connection, since that takes milliseconds. */
  get secureContext(): SecureContext {
    this.#secureContext ??= this.#create()
    return this.#secureContext
  }

  #create(): SecureContext {
    const { createSecureContext, getCACertificates } = loadTls()
    const authorities = this.#authorities
    return createSecureContext({
      ...(authorities !== undefined && { ca: [...getCACertificates(), authorities] }),
      ...(this.#client && { cert: this.#client.certificate, key: this.#client.key }),
    })
  }
}

/** The contexts of TLS connections with and without a client certificate. */
export interface TlsContexts {
  /** The contexts of the origins that get the client certificate. */
  readonly byOrigin: ReadonlyMap<string, TlsContext>
  /** The context of all other servers. */
  readonly anonymous: TlsContext
}

export function tlsContexts(
  { authorities, client }: TlsCertificates,
  clientOrigins: readonly string[],
): TlsContexts {
  const identified = client && new TlsContext(authorities, client)
  return {
    byOrigin: new Map(identified && clientOrigins.map((origin) => [origin, identified])),
    anonymous: new TlsContext(authorities),
  }
}
