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
    const { createSecureContext } = loadTls()
    const authorities = this.#authorities
    return createSecureContext({
      ...(authorities !== undefined && { ca: [...trustedByDefault(), authorities] }),
      ...(this.#client && { cert: this.#client.certificate, key: this.#client.key }),
    })
  }
}

/** Returns the certificates that Node trusts. */
function trustedByDefault(): readonly string[] {
  const { getCACertificates, rootCertificates } = loadTls()
  const listed = getCACertificates()
  // The Node of some Linux distributions, and others with `--use-openssl-ca`, trust what OpenSSL finds on the system.
  // Node doesn't list it among the certificates that it trusts by default.
  const isComplete = listed.includes(rootCertificates[0] ?? '')
  return isComplete ? listed : [...listed, ...getCACertificates('system')]
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
