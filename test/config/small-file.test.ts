import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readSecretLine } from '../../src/config/small-file.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.each([
  ['me:secret\n', 'me:secret'],
  ['me:secret\r\n\r\n', 'me:secret'],
  ['me: secret \t\n', 'me: secret \t'],
])('the secret in a file with the line %j is %j, with its spaces', async (text, secret) => {
  await writeFile(path('secret'), text)
  expect(readSecretLine(path('secret'), 'a secret').reveal()).toBe(secret)
})
