import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { codeOf, foundInstead, messageOf } from '../src/errors.ts'

// Jest runs programs in a realm of their own, with an Error class that Node's errors don't have.
it('errors of another realm have their message and code', () => {
  const error: unknown = runInNewContext("Object.assign(new Error('gone'), { code: 'ENOENT' })")
  expect(error).not.toBeInstanceOf(Error)
  expect(messageOf(error)).toBe('gone')
  expect(codeOf(error)).toBe('ENOENT')
  expect(foundInstead(error)).toBe('no file')
})
