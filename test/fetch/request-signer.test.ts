import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { RequestSigner } from '../../src/fetch/request-signer.ts'
import { serve } from '../support/serve.ts'
import { isSignatureValid, signatureParameter as parameter } from '../support/verify-signature.ts'
import { openTestFetcher } from './open-test-fetcher.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signing = {
  key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  keyId: 'the-key',
  agent: 'https://bot.example',
}

it('the signature in the test vectors of Web Bot Auth is valid', () => {
  const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
  const headers = {
    'signature-agent': 'agent2="https://signature-agent.test"',
    'signature-input':
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
    signature:
      'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  }
  expect(isSignatureValid('example.com', headers, key)).toBe(true)
})

it('a signature is valid for its host and port, for five minutes', () => {
  const headers = new RequestSigner(signing).headersFor('https://example.com:8443/a?b=1')
  expect(isSignatureValid('example.com:8443', headers, publicKey)).toBe(true)
  expect(isSignatureValid('example.com', headers, publicKey)).toBe(false)
  const other = { ...headers, 'signature-agent': 'sig1="https://liar.example"' }
  expect(isSignatureValid('example.com:8443', other, publicKey)).toBe(false)
  const [created, expires] = ['created', 'expires'].map((name) => Number(parameter(headers, name)))
  expect((expires ?? 0) - (created ?? 0)).toBe(300)
  expect(Math.abs((created ?? 0) - Date.now() / 1_000)).toBeLessThan(60)
  expect(parameter(headers, 'keyid')).toBe('the-key')
  expect(parameter(headers, 'tag')).toBe('web-bot-auth')
})

it('each request has a signature of its own, next to its other headers', async () => {
  const site = await serve((_, response) => response.end('page'))
  const fetcher = openTestFetcher({
    ...{ signing, headers: { 'X-Mine': 'yes' }, headerOrigins: [site.url] },
  })
  const request = { url: `${site.url}/`, maxBody: 100 }
  await fetcher.get({ ...request, before: { etag: '"e"' } })
  await fetcher.get({ ...request, isCrossSite: true })
  await fetcher.head(request)
  const sent = site.requests.map(({ headers }) => headers)
  expect(
    sent.map((headers) => isSignatureValid(new URL(site.url).host, headers, publicKey)),
  ).toEqual([...[true, true, true]])
  expect(new Set(sent.map((headers) => parameter(headers, 'nonce'))).size).toBe(3)
  expect(sent.map((headers) => headers['x-mine'])).toEqual(['yes', undefined, 'yes'])
  expect(sent[0]?.['if-none-match']).toBe('"e"')
})
