import { expect, it } from 'vitest'
import { parseChallenges } from '../../../src/fetch/authentication/challenges.ts'

function parsed(header: string | readonly string[] | undefined) {
  return parseChallenges(header).map(({ scheme, parameters }) => [
    scheme,
    Object.fromEntries(parameters),
  ])
}

it('reads the example of RFC 9110, 11.6.1: two challenges in one header', () => {
  const header = 'Basic realm="simple", Newauth realm="apps", type=1, title="Login to \\"apps\\""'
  expect(parsed(header)).toEqual([
    ['basic', { realm: 'simple' }],
    ['newauth', { realm: 'apps', type: '1', title: 'Login to "apps"' }],
  ])
})

it('reads several headers, empty elements, spaces around = and commas in quotes', () => {
  expect(parsed(['Negotiate', ', Digest QOP = "auth,auth-int" ,, nonce=a/b==,'])).toEqual([
    ['negotiate', {}],
    ['digest', { qop: 'auth,auth-int', nonce: 'a/b==' }],
  ])
})

it('reads past the tokens of other schemes', () => {
  const digest = ['digest', { realm: 'x', nonce: 'y' }]
  expect(parsed(['Negotiate a/b+c==', 'Digest realm="x", nonce="y"'])).toEqual([
    ['negotiate', {}],
    digest,
  ])
  expect(parsed('Digest realm=x , nonce = y, NTLM TlRM, Bearer')).toEqual([
    digest,
    ...[
      ['ntlm', {}],
      ['bearer', {}],
    ],
  ])
})

it('ignores what follows a malformed part', () => {
  expect(parsed('Digest realm="r", nonce="open')).toEqual([['digest', { realm: 'r', nonce: '' }]])
  expect(parsed('realm="r"; Digest a=b')).toEqual([])
  expect(parsed(undefined)).toEqual([])
})

it('reads a long hostile header in linear time', () => {
  const slow = `Digest ${'a="\\'.repeat(100_000)}`
  const start = performance.now()
  parseChallenges(slow)
  parseChallenges(`${' ,'.repeat(200_000)};`)
  expect(performance.now() - start).toBeLessThan(2_000)
})
