import { sign } from 'node:crypto'
import type { Certificate } from '../support/self-signed.ts'

/** The same certificate, but that it was valid on one day of the year 2020 only. */
export function expired({ key, cert }: Certificate): Certificate {
  const whole = Buffer.from(cert.replace(/-----.+-----/g, ''), 'base64')
  const toBeSigned = Buffer.from(whole.subarray(4, 8 + whole.readUInt16BE(6)))
  toBeSigned.write(VALIDITY, toBeSigned.indexOf('\x17\x0d'), 'latin1')
  const signature = sign('sha256', toBeSigned, key)
  const bits = Buffer.concat([Buffer.of(0x03, signature.length + 1, 0), signature])
  const parts = Buffer.concat([toBeSigned, ECDSA_SHA256, bits])
  const der = Buffer.concat([Buffer.of(0x30, 0x82, parts.length >> 8, parts.length & 0xff), parts])
  const lines = der.toString('base64')
  return { key, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}

// DER (ITU-T X.690): two times, and the name of an algorithm.
const VALIDITY = '\x17\x0d200101000000Z\x17\x0d200102000000Z'
const ECDSA_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex')
