import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto'
import { CrawlerError } from '../errors.ts'
import type { SigningIdentity } from '../fetch/request-signer.ts'
import type { Config } from './schema.ts'
import { readSmallFile } from './small-file.ts'

/** Path of the list of keys on the site of a signature agent (draft-meunier-webbotauth-httpsig-directory-00). */
const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

const EXPECTED = 'an Ed25519 private key (PEM), as `openssl genpkey -algorithm ed25519` prints it'

/**
 * Reads the key that signs requests. Returns undefined if they aren't signed.
 * @throws CrawlerError('usage') if only one of the two settings is there, or the file has no such key
 */
export function readSigningIdentity(
  settings: Pick<Config, 'signatureAgent' | 'signingKey'>,
): SigningIdentity | undefined {
  const { signatureAgent: agent, signingKey: file } = settings
  if (file === undefined && agent === undefined) return undefined
  if (file === undefined) throw missing('--signing-key', '--signature-agent')
  if (agent === undefined) throw missing('--signature-agent', '--signing-key')
  const key = readKey(file)
  return { key, keyId: keyIdOf(key), agent }
}

/** Returns a message that tells what the site of the signature agent must publish: a list of keys (RFC 7517, section 5). */
export function publishingHint({ agent, key }: SigningIdentity): string {
  const keys = [publicKeyOf(key)]
  return `Requests are signed; ${agent}${DIRECTORY_PATH} must contain ${JSON.stringify({ keys })}`
}

/** Returns a private key (PEM), without anything else that its file contains. */
function readKey(file: string): string {
  const key = parsed(readSmallFile(file, EXPECTED))
  if (key?.asymmetricKeyType === 'ed25519')
    return key.export({ format: 'pem', type: 'pkcs8' }).toString()
  const got = key === undefined ? '' : `, got a key of the type ${key.asymmetricKeyType}`
  throw new CrawlerError('usage', `${file}: expected ${EXPECTED}${got}`)
}

function parsed(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

/**
 * Returns the members of the public key that its thumbprint is made of, in their order (RFC 8037, section 2).
 * @param key private key (PEM)
 */
function publicKeyOf(key: string): object {
  const { crv, kty, x } = createPublicKey(key).export({ format: 'jwk' })
  return { crv, kty, x }
}

/** Returns the thumbprint of a key (RFC 7638). */
function keyIdOf(key: string): string {
  return hash('sha256', JSON.stringify(publicKeyOf(key)), 'base64url')
}

function missing(flag: string, given: string): CrawlerError {
  return new CrawlerError('usage', `expected ${flag} with ${given}, got none`)
}
