import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { hideLogins, isSecretHeader, Secret } from '../src/secret.ts'

it('a secret prints as three asterisks, however it is printed', () => {
  const secret = new Secret('hunter2')
  const printed = [
    ...[String(secret), `${secret}`, `a ${secret}`, JSON.stringify({ secret }), inspect(secret)],
    ...[inspect({ deep: { secret } }, { showHidden: true, depth: 9 }), Object.keys(secret).join()],
    ...[new Error(`${secret}`).message, inspect(new Error('x', { cause: secret }))],
    JSON.stringify(structuredClone({ secret })),
  ]
  expect(printed.join()).not.toContain('hunter2')
  expect([JSON.stringify(secret), inspect(secret)]).toEqual(['"***"', '***'])
  expect(secret.reveal()).toBe('hunter2')
})

it('logins are hidden in any text, except in the example of our own messages', () => {
  expect(hideLogins('a http://me:p@ss@h/x@y, b redis://:pw@q:1 c')).toBe(
    'a http://***@h/x@y, b redis://***@q:1 c',
  )
  const harmless = 'such as rediss://user:password@host, https://h/@x, me@h, mailto:a@b'
  expect(hideLogins(harmless)).toBe(harmless)
})

it.each(['Authorization', 'proxy-authorization', 'Cookie', 'X-Api-Key', 'PRIVATE-TOKEN', 'X-Own'])(
  'the header %s is secret',
  (name) => expect(isSecretHeader(name)).toBe(true),
)

it.each(['accept', 'user-agent', 'accept-language', 'if-none-match', 'dnt'])(
  'the header %s is not secret',
  (name) => expect(isSecretHeader(name)).toBe(false),
)
