import { openSync, renameSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { codeOf, foundInstead, messageOf, reasonNotToWrite } from '../src/errors.ts'

// Jest runs programs in a realm of their own, with an Error class that Node's errors don't have.
it('errors of another realm have their message and code', () => {
  const error: unknown = runInNewContext("Object.assign(new Error('gone'), { code: 'ENOENT' })")
  expect(error).not.toBeInstanceOf(Error)
  expect(messageOf(error)).toBe('gone')
  expect(codeOf(error)).toBe('ENOENT')
  expect(foundInstead(error)).toBe('no file')
})

it.each([
  ['gone', 'gone'],
  [undefined, 'undefined'],
  [Symbol('x'), 'Symbol(x)'],
  [{ code: 5 }, '{ code: 5 }'],
  [Object.create(null), '[Object: null prototype] {}'],
  [Object.assign(new Error('x'), { message: 7 }), '7'],
])('anything that is thrown has a message: %o', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})

it.each([
  ['open', () => openSync("/no-folder/it's", 'w')],
  ['rename', () => renameSync('/no-folder/a', '/no-folder/b')],
])('the reason why a file cannot be written repeats no path: %s', (call, fail) => {
  let thrown: unknown
  try {
    fail()
  } catch (error) {
    thrown = error
  }
  expect(reasonNotToWrite(thrown)).toBe(`ENOENT: no such file or directory, ${call}`)
})
