import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { hostKey } from '../url/host-key.ts'

/** The identity of a crawler that signs its requests. Plain data that can be sent to a thread. */
export interface SigningIdentity {
  /** Ed25519 private key (PEM). */
  readonly key: string
  /** Thumbprint of the public key (RFC 7638), by which sites find it. */
  readonly keyId: string
  /** Origin of the site that publishes the public key. */
  readonly agent: string
}

/** Name of the signature, and of the agent that it names. */
const LABEL = 'sig1'
/** Seconds for which a signature is valid: a request may wait for a connection, and clocks differ. */
const VALID_SECONDS = 300
const NONCE_BYTES = 64

/**
 * Signs requests, so that a site can verify whose crawler sends them: HTTP Message Signatures (RFC 9421), as Web Bot
 * Auth uses them (draft-meunier-webbotauth-httpsig-protocol-00).
 */
export class RequestSigner {
  readonly #key: KeyObject
  readonly #keyId: string
  readonly #agent: string

  constructor({ key, keyId, agent }: SigningIdentity) {
    this.#key = createPrivateKey(key)
    this.#keyId = keyId
    this.#agent = `"${agent}"`
  }

  /**
   * Returns the headers that sign a request. The signature covers the host, so no other host can use it.
   * @param url canonical
   */
  headersFor(url: string): Readonly<Record<string, string>> {
    const created = Math.floor(Date.now() / 1_000)
    const agent = `"signature-agent";key="${LABEL}"`
    const params =
      `("@authority" ${agent});created=${created};expires=${created + VALID_SECONDS}` +
      `;keyid="${this.#keyId}";alg="ed25519"` +
      `;nonce="${randomBytes(NONCE_BYTES).toString('base64')}";tag="web-bot-auth"`
    const base = `"@authority": ${hostKey(url)}\n${agent}: ${this.#agent}\n"@signature-params": ${params}`
    const signature = sign(null, Buffer.from(base), this.#key).toString('base64')
    return {
      'signature-agent': `${LABEL}=${this.#agent}`,
      'signature-input': `${LABEL}=${params}`,
      signature: `${LABEL}=:${signature}:`,
    }
  }
}
