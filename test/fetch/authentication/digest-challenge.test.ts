import { expect, it } from 'vitest'
import { DigestChallenge } from '../../../src/fetch/authentication/digest-challenge.ts'
import { digestValues, isDigestValid } from '../../support/verify-digest.ts'

const LOGIN = { user: 'Mufasa', password: 'Circle of Life' }

function answerTo(header: string | readonly string[], method = 'GET', uri = '/a?b="c"'): string {
  const challenge = DigestChallenge.strongestIn(header)
  if (challenge === undefined) throw new Error('expected a challenge')
  return challenge.answer(method, uri, LOGIN)
}

it.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the example with %s in RFC 7616, 3.9.1, is valid', (algorithm, response) => {
  const header =
    'Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", ' +
    `algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, ` +
    'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, ' +
    `response="${response}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
  const { password } = LOGIN
  expect(isDigestValid(header, { method: 'GET', password })).toBe(true)
  expect(isDigestValid(header, { method: 'HEAD', password })).toBe(false)
})

it.each([
  ['MD5', ', qop="auth"'],
  ['MD5', ', qop="auth-int, auth"'],
  ['MD5-sess', ', qop="auth"'],
  ['SHA-256', ', qop=auth'],
  ['SHA-256-sess', ''],
  ['SHA-512-256', ', qop="auth"'],
  ['MD5', ''],
])('answers a challenge with %s%s', (algorithm, qop) => {
  const answer = answerTo(`Digest realm="r, \\"s\\"", nonce="n=", algorithm=${algorithm}${qop}`)
  expect(isDigestValid(answer, { method: 'GET', password: LOGIN.password })).toBe(true)
  expect(digestValues(answer)).toMatchObject({
    ...{ username: 'Mufasa', realm: 'r, "s"', nonce: 'n=', uri: '/a?b="c"', algorithm },
  })
})

it('answers a challenge without an algorithm with MD5, and repeats its opaque value', () => {
  const answer = answerTo('digest nonce=n,realm=r , opaque="o"', 'HEAD')
  expect(isDigestValid(answer, { method: 'HEAD', password: LOGIN.password })).toBe(true)
  expect(digestValues(answer)).toMatchObject({ opaque: 'o' })
  expect(answer).not.toContain('algorithm')
})

it('counts its answers, which share a nonce of the client, since that is a part of the key of a session', () => {
  const header = 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess'
  const challenge = DigestChallenge.strongestIn(header)
  const answers = [1, 2].map(() => digestValues(challenge?.answer('GET', '/', LOGIN)))
  expect(answers.map(({ nc }) => nc)).toEqual(['00000001', '00000002'])
  expect(answers[0]?.['cnonce']).toBe(answers[1]?.['cnonce'])
  const other = digestValues(answerTo(header))
  expect(other['cnonce']).not.toBe(answers[0]?.['cnonce'])
})

it('takes the strongest of several challenges', () => {
  const md5 = 'Digest realm="r", nonce="1", algorithm=MD5'
  const sha = 'Digest realm="r", nonce="2", algorithm=SHA-256'
  expect(DigestChallenge.strongestIn([`Basic realm="b", ${md5}`, sha])?.nonce).toBe('2')
  expect(DigestChallenge.strongestIn(`${sha}, ${md5}, Negotiate`)?.nonce).toBe('2')
})

it.each([
  undefined,
  '',
  'Basic realm="r"',
  'Digest realm="r"',
  'Digest nonce="n"',
  'Digest realm="r", nonce="n", algorithm=SHA-1',
  'Digest realm="r", nonce="n", qop="auth-int"',
])('answers no challenge of %j', (header) => {
  expect(DigestChallenge.strongestIn(header)).toBeUndefined()
})
