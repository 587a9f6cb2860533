import { expect, it } from 'vitest'
import { basicCredentials } from '../../../src/fetch/authentication/basic-credentials.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

function credentials(authorization: string, authorizations: Record<string, string> = {}) {
  const headers = { Authorization: authorization }
  const headerOrigins = ['https://a.test', 'https://b.test']
  const options = { userAgent: 'test', headers, headerOrigins, authorizations }
  return Object.fromEntries(basicCredentials(options))
}

it('gives all seeds the shared user and password, and a seed with its own that one', () => {
  expect(credentials(basic('me:a:b'), { 'https://b.test': basic('you:secret') })).toEqual({
    'https://a.test': { user: 'me', password: 'a:b' },
    'https://b.test': { user: 'you', password: 'secret' },
  })
})

it('has the bytes of UTF-8 as characters', () => {
  expect(credentials(basic('é:ü'))['https://a.test']).toEqual({ user: 'Ã©', password: 'Ã¼' })
})

it.each(['Bearer abc', 'Basic', basic('no colon'), basic('line\n:break')])(
  'has none for %j',
  (authorization) => {
    expect(credentials(authorization)).toEqual({})
  },
)
