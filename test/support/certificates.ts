import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate and its key, as text (PEM). */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** An authority that issues certificates. */
export interface Authority extends Certificate {
  /** Issues a certificate for the names and addresses. A client's certificate has none. */
  issue(...hosts: readonly string[]): Promise<Certificate>
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 86_400_000

cryptoProvider.set(webcrypto)

/** Creates an authority that no system trusts. The repository contains no key. */
export async function makeAuthority(): Promise<Authority> {
  const keys = await makeKeys()
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=Authority of a test', keys, ...validity() },
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  })
  return {
    ...(await pem(authority, keys)),
    async issue(...hosts) {
      const own = await makeKeys()
      const issued = await X509CertificateGenerator.create({
        ...{ subject: `CN=${hosts[0] ?? 'client'}`, issuer: authority.subject, ...validity() },
        ...{ publicKey: own.publicKey, signingKey: keys.privateKey, signingAlgorithm: ALGORITHM },
        extensions: hosts.length === 0 ? [] : [alternativeNames(hosts)],
      })
      return pem(issued, own)
    },
  }
}

/**
 * Creates a self-signed certificate.
 * @param end milliseconds from now
 */
export async function selfSigned(host = '127.0.0.1', end = DAY_MS): Promise<Certificate> {
  const keys = await makeKeys()
  const extensions = [alternativeNames([host])]
  const options = { name: `CN=${host}`, keys, ...validity(end), extensions }
  return pem(await X509CertificateGenerator.createSelfSigned(options), keys)
}

function alternativeNames(hosts: readonly string[]): SubjectAlternativeNameExtension {
  return new SubjectAlternativeNameExtension(
    hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? 'ip' : 'dns', value })),
  )
}

function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

function validity(end = DAY_MS) {
  return {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + end),
    signingAlgorithm: ALGORITHM,
  }
}

async function pem(
  certificate: X509Certificate,
  { privateKey }: webcrypto.CryptoKeyPair,
): Promise<Certificate> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey))
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`
  return { key, cert: `${certificate.toString('pem')}\n` }
}
