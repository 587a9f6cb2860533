import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readLoginFile } from '../../src/config/login-file.ts'
import { LOGIN_EXAMPLE } from '../../src/config/settings/login-settings.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const GOOD = {
  url: 'https://Example.com/login#form',
  fields: { user: 'me', password: { env: 'PW' } },
  check: { cookie: 'session' },
}

function read(login: unknown, environment = { PW: 'hunter2' }) {
  const file = path('login.json')
  writeFileSync(file, typeof login === 'string' ? login : JSON.stringify(login))
  return readLoginFile(file, environment)
}

it('a login file is read with values from the environment, which are not printed', () => {
  const { url, fields, check } = read(GOOD)
  expect({ url, check }).toEqual({ url: 'https://example.com/login', check: { cookie: 'session' } })
  expect([...fields].map(([name, value]) => [name, value.reveal()])).toEqual([
    ['user', 'me'],
    ['password', 'hunter2'],
  ])
  expect(JSON.stringify([...fields])).not.toContain('hunter2')
})

it('the URLs of a login file may have an @ in their query', () => {
  const { url } = read({ ...GOOD, url: 'https://example.com?next=me@example.com' })
  expect(url).toBe('https://example.com/?next=me@example.com')
})

it('a login file may be the example in the help', () => {
  expect(read(LOGIN_EXAMPLE)).toMatchObject(JSON.parse(LOGIN_EXAMPLE.replace(/"fields".*?}, /, '')))
})

it.each<[unknown, string]>([
  ['{"url": hunter2}', 'expected JSON, got a syntax error: '],
  [[], 'url: expected, but missing'],
  [7, 'expected an object with url, fields and check'],
  [{ ...GOOD, url: 'ftp://x' }, 'url: expected an http or https URL without user and password'],
  [
    { ...GOOD, url: 'https://me:hunter2@x/' },
    'url: expected an http or https URL without user and password',
  ],
  [
    { ...GOOD, url: 'https:///me:hunter2@x/' },
    'url: expected an http or https URL without user and password',
  ],
  [{ ...GOOD, fields: {} }, 'fields: expected an object of 1 to 100 names and values'],
  [{ ...GOOD, fields: ['me'] }, 'fields: expected an object of names and values'],
  [
    { ...GOOD, fields: { a: 7 } },
    'fields.a: expected a text, or { "env": "NAME" } for an environment variable',
  ],
  [
    { ...GOOD, check: {} },
    'check: expected an object with at least one of status, text, cookie and url',
  ],
  [{ ...GOOD, check: undefined }, `check: expected, but missing; for example ${LOGIN_EXAMPLE}`],
  [
    { ...GOOD, check: { status: 200 } },
    `check: expected more than a status that a failed login has, too, for example ${LOGIN_EXAMPLE}`,
  ],
  [{ ...GOOD, check: { status: 99 } }, 'check.status: expected a status such as 302'],
  [{ ...GOOD, chek: {} }, 'chek: no such setting of a login (did you mean check?)'],
  [
    { ...GOOD, fields: undefined, field: { user: 'me' } },
    'field: no such setting of a login (did you mean fields?)',
  ],
  [
    { ...GOOD, fields: { a: { env: 'NONE' } } },
    'fields.a: expected the environment variable NONE, which is not set',
  ],
])('a login file is refused in one sentence: %j', (login, message) => {
  const refusal = () => read(login)
  expect(refusal).toThrow(`${path('login.json')}: ${message}`)
  expect(refusal).not.toThrow(/hunter2|\n/)
})
