import { generateKeyPairSync, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/** A certificate for 127.0.0.1 that nobody vouches for, made here: no key lies in the repository. */
export function selfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from('127.0.0.1')))))
  const validity = sequence(utcTime(-1), utcTime(1))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const toBeSigned = sequence(INTEGER_ONE, ECDSA_SHA256, name, validity, name, spki)
  const signature = sign('sha256', toBeSigned, privateKey)
  const bits = tagged(0x03, Buffer.concat([Buffer.of(0), signature]))
  const der = sequence(toBeSigned, ECDSA_SHA256, bits)
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

// DER (ITU-T X.690): a tag, a length, the contents. The fields are those of RFC 5280, section 4.1.
const INTEGER_ONE = tagged(0x02, Buffer.of(1))
const COMMON_NAME = tagged(0x06, Buffer.of(0x55, 0x04, 0x03))
const ECDSA_SHA256 = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

function tagged(tag: number, contents: Buffer): Buffer {
  const { length } = contents
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), contents])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function utcTime(daysFromNow: number): Buffer {
  const iso = new Date(Date.now() + daysFromNow * 86_400_000).toISOString()
  return tagged(0x17, Buffer.from(`${iso.slice(2, 19).replace(/[-:T]/g, '')}Z`))
}
