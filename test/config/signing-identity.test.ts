import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { publishingHint, readSigningIdentity } from '../../src/config/signing-identity.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
/** The key of RFC 9421, appendix B.1.4, and its thumbprint in draft-meunier-webbotauth-httpsig-protocol-00. */
const KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
`
const KEY_ID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'
const PUBLIC = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'

/** Reads the identity of a crawl whose key file has this content. */
function read(content: string, agent = 'https://bot.example/') {
  const signingKey = path('key.pem')
  writeFileSync(signingKey, content)
  return readSigningIdentity(resolveConfig({ signingKey, signatureAgent: agent }))
}

const pemOf = (key: KeyObject, encryption = {}) =>
  key.export({ format: 'pem', type: 'pkcs8', ...encryption }).toString()

it('a key is identified by the thumbprint of its public key, which the log tells to publish', () => {
  const identity = read(KEY) ?? expect.fail('no identity')
  expect(identity).toMatchObject({ keyId: KEY_ID, agent: 'https://bot.example' })
  const file = 'https://bot.example/.well-known/http-message-signatures-directory'
  const keys = `{"keys":[{"crv":"Ed25519","kty":"OKP","x":"${PUBLIC}"}]}`
  expect(publishingHint(identity)).toBe(`Requests are signed; ${file} must contain ${keys}`)
  expect(readSigningIdentity(resolveConfig({}))).toBeUndefined()
})

it('another file than an Ed25519 private key is refused', () => {
  const expected = `${path('key.pem')}: expected an Ed25519 private key (PEM), as \`openssl genpkey -algorithm ed25519\` prints it`
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  expect(() => read(pemOf(otherKey))).toThrow(`${expected}, got a key of the type ec`)
  const encrypted = pemOf(privateKey, { cipher: 'aes-256-cbc', passphrase: 'p' })
  const other = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  for (const content of ['', 'text', encrypted, other])
    expect(() => read(content)).toThrow(expected)
})

it('one of the two settings alone is refused', () => {
  const readOf = (input: object) => () => readSigningIdentity(resolveConfig(input))
  expect(readOf({ signingKey: 'k' })).toThrow(
    'expected --signature-agent with --signing-key, got none',
  )
  expect(readOf({ signatureAgent: 'https://bot.example' })).toThrow(
    'expected --signing-key with --signature-agent, got none',
  )
})

it.each([
  'http://bot.example',
  'bot.example',
  'https://bot.example/x',
  'https://u@bot.example',
  '',
])('a signature agent must be an https site: %s', (agent) => {
  expect(() => read(KEY, agent)).toThrow(
    'expected an https URL without a path, such as https://bot.example',
  )
})
