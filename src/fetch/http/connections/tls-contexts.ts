import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import type { TlsCertificates } from '../../certificates.ts'

/** What TLS connections begin with; undefined is what Node begins with. */
export interface TlsContexts {
  /** For all servers but those of `clientOrigins`. */
  readonly anonymous: SecureContext | undefined
  readonly client: SecureContext | undefined
  readonly clientOrigins: ReadonlySet<string>
}

/** Returns the contexts of certificates. Making one takes milliseconds, so connections share them. */
export function tlsContexts(
  { authorities, client }: TlsCertificates,
  clientOrigins: readonly string[],
): TlsContexts {
  const ca = authorities === undefined ? {} : { ca: [...getCACertificates(), authorities] }
  return {
    anonymous: authorities === undefined ? undefined : createSecureContext(ca),
    client: client && createSecureContext({ ...ca, cert: client.certificate, key: client.key }),
    clientOrigins: new Set(clientOrigins),
  }
}
