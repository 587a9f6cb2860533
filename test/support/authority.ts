import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '1']

/** Files of a private certificate authority, and of a certificate for 127.0.0.1 that it has issued. */
export interface Authority {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** Creates an authority with openssl, in a folder. */
export async function makeAuthority(folder: string): Promise<Authority> {
  const [ca = '', caKey = '', cert = '', key = ''] = ['ca.crt', 'ca.key', 'a.crt', 'a.key'].map(
    (name) => join(folder, name),
  )
  await run('openssl', ['req', '-x509', ...KEY, '-subj', '/CN=ca', '-keyout', caKey, '-out', ca])
  const signed = ['-CA', ca, '-CAkey', caKey, '-addext', 'subjectAltName=IP:127.0.0.1']
  const leaf = ['-addext', 'basicConstraints=CA:FALSE', '-subj', '/CN=redis']
  await run('openssl', ['req', '-x509', ...KEY, ...signed, ...leaf, '-keyout', key, '-out', cert])
  return { ca, cert, key }
}
