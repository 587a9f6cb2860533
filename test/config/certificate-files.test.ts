import { createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readCertificates } from '../../src/config/certificate-files.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { selfSigned } from '../support/certificates.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const PASSPHRASE = 'hunter2'
/** The identifier of aes-256-cbc and the head of its initialization vector, in DER. */
const VECTOR = Buffer.from('60864801650304012a0410', 'hex')

/** Changes the decrypted first bytes of a key, and keeps its padding valid, as one wrong passphrase in 256 does. */
function garbled(pem: string): string {
  const der = Buffer.from(pem.replace(/-----.*-----|\n/g, ''), 'base64')
  const at = der.indexOf(VECTOR) + VECTOR.length
  der.writeUInt8(der.readUInt8(at) ^ 0xff, at)
  const label = 'ENCRYPTED PRIVATE KEY'
  return `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
}

it('a key that decrypts to nonsense is reported as having another passphrase', async () => {
  const { cert, key } = await selfSigned()
  const format = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc' } as const
  const encrypted = `${createPrivateKey(key).export({ ...format, passphrase: PASSPHRASE })}`
  await writeFile(path('pass'), PASSPHRASE)
  const settings = { cert: path('both.pem'), passphraseFile: path('pass') }
  const read = () => readCertificates(resolveConfig(settings))
  await writeFile(path('both.pem'), cert + encrypted)
  expect(read()).toHaveProperty('client')
  await writeFile(path('both.pem'), cert + garbled(encrypted))
  expect(read).toThrow(`${path('both.pem')}: wrong passphrase for the key`)
})
