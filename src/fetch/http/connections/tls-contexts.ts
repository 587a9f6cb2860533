import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { TlsCertificates } from '../../certificates.ts'
import { TlsSessions } from './tls-sessions.ts'

/** The certificates and sessions that the TLS connections of one identity share. */
export interface TlsContext {
  readonly secureContext: SecureContext
  readonly sessions: TlsSessions
}

/** The contexts of TLS connections, by server. */
export interface TlsContexts {
  /** For all servers but those of `clientOrigins`. */
  readonly anonymous: TlsContext
  /** Undefined without a certificate of the client. */
  readonly client: TlsContext | undefined
  readonly clientOrigins: ReadonlySet<string>
}

/** Returns the contexts of certificates. Making one takes milliseconds, so connections share them. */
export function tlsContexts(
  { authorities, client }: TlsCertificates,
  clientOrigins: readonly string[],
): TlsContexts {
  const ca = authorities === undefined ? {} : { ca: [...getCACertificates(), authorities] }
  return {
    anonymous: contextOf(ca),
    client: client && contextOf({ ...ca, cert: client.certificate, key: client.key }),
    clientOrigins: new Set(clientOrigins),
  }
}

function contextOf(options: Parameters<typeof createSecureContext>[0]): TlsContext {
  return { secureContext: createSecureContext(options), sessions: new TlsSessions() }
}
