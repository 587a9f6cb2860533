import { createPrivateKey, X509Certificate } from 'node:crypto'
import { CrawlerError, codeOf } from '../errors.ts'
import type { ClientCertificate, TlsCertificates } from '../fetch/certificates.ts'
import { loadTls } from '../runtime/load-tls.ts'
import type { Secret } from '../secret.ts'
import type { Config } from './schema.ts'
import { readSecretLine, readSmallFile } from './small-file.ts'

type CertificateSettings = Pick<Config, 'cacert' | 'cert' | 'key' | 'passphraseFile' | 'passphrase'>

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g
const PEM_KEY =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[\s\S]*?-----END (?:[A-Z]+ )?PRIVATE KEY-----/
const AUTHORITIES = 'a file of certificates (PEM)'
const CERTIFICATE = 'a client certificate (PEM)'
const KEY = 'a private key (PEM)'

const WRONG_PASSPHRASE = 'wrong passphrase for the key'

/** Messages on faults of a key, by the error codes of OpenSSL. */
const KEY_FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /PASSPHRASE|INTERRUPTED|EMPTY_PASSWORD/,
    'the key needs a passphrase: --passphrase-file, or CRAWL_KEY_PASSPHRASE',
  ],
  [/BAD_DECRYPT|BAD_PASSWORD|MAC_VERIFY/, WRONG_PASSPHRASE],
  [/KEY_VALUES_MISMATCH|KEY_TYPE_MISMATCH/, 'the key belongs to another certificate'],
]

/**
 * Reads the certificates of a crawl. Returns undefined if it has none.
 * @throws CrawlerError('usage') naming a file that can't be read or used
 */
export function readCertificates(settings: CertificateSettings): TlsCertificates | undefined {
  const { cacert, cert, key, passphraseFile } = settings
  if (cert === undefined) {
    refuseLone(key, '--key')
    refuseLone(passphraseFile, '--passphrase-file')
  }
  if (cacert === undefined && cert === undefined) return undefined
  return {
    ...(cacert !== undefined && { authorities: readAuthorities(cacert) }),
    ...(cert !== undefined && { client: readClient(settings, cert) }),
  }
}

/**
 * Refuses a file that has no effect without --cert: requests would be sent without a certificate, unnoticed.
 * @throws CrawlerError('usage')
 */
function refuseLone(file: string | undefined, flag: string): void {
  if (file === undefined) return
  throw new CrawlerError('usage', `${file}: expected --cert with ${flag}, got none`)
}

function readAuthorities(file: string): string {
  const text = readSmallFile(file, AUTHORITIES)
  checkCertificates(file, text, AUTHORITIES)
  return text
}

function readClient(settings: CertificateSettings, file: string): ClientCertificate {
  const certificate = readSmallFile(file, CERTIFICATE)
  checkCertificates(file, certificate, CERTIFICATE)
  const keyFile = settings.key ?? file
  const text = settings.key === undefined ? certificate : readSmallFile(keyFile, KEY)
  // OpenSSL doesn't find an encrypted key after a certificate in the same text.
  const [pem] = PEM_KEY.exec(text) ?? []
  if (pem === undefined) {
    const hint = settings.key === undefined ? ' as well, or --key' : ''
    throw new CrawlerError('usage', `${keyFile}: expected ${KEY}${hint}`)
  }
  const secret = passphraseOf(settings)?.reveal()
  const passphrase = secret === undefined ? {} : { passphrase: secret }
  // One wrong passphrase in 300 seems to decrypt the key. Only the parser of the key then refuses the bytes.
  const isDecrypted = secret !== undefined && pem.includes('ENCRYPTED')
  return readable(keyFile, isDecrypted ? WRONG_PASSPHRASE : undefined, () => {
    const key = createPrivateKey({ key: pem, ...passphrase }).export({
      format: 'pem',
      type: 'pkcs8',
    })
    const client = { certificate, key: key.toString() }
    loadTls().createSecureContext({ cert: certificate, key: client.key })
    return client
  })
}

function passphraseOf({ passphrase, passphraseFile }: CertificateSettings): Secret | undefined {
  if (passphraseFile === undefined) return passphrase
  return readSecretLine(passphraseFile, 'a file of a passphrase')
}

/**
 * @param otherFault message on an error that is none of the known faults, if its cause is known
 * @throws CrawlerError('usage') in place of an error of OpenSSL
 */
function readable<T>(file: string, otherFault: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = codeOf(error)
    const fault = KEY_FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? otherFault
    throw new CrawlerError('usage', `${file}: ${fault ?? `expected ${KEY}, got ${code}`}`)
  }
}

/** @throws CrawlerError('usage') if a file has no certificate, or one that can't be parsed */
function checkCertificates(file: string, text: string, expected: string): void {
  const found = text.match(PEM_CERTIFICATE) ?? []
  try {
    for (const pem of found) new X509Certificate(pem)
    if (found.length > 0) return
  } catch {
    throw new CrawlerError('usage', `${file}: expected ${expected}, got one that can't be parsed`)
  }
  throw new CrawlerError('usage', `${file}: expected ${expected}, got none`)
}
