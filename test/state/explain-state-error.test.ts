import { describe, expect, it } from 'vitest'
import { stateError } from '../../src/state/explain-state-error.ts'

const systemError = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: no luck, open '${path}'`), { code, ...(path && { path }) })

it.each([
  ['the directory', '/tmp/out', '/tmp/out'],
  ['a file in it', '/tmp/out', '/tmp/out/crawl.sqlite'],
  ['a folder above it', '/tmp/out', '/tmp'],
  ['a file in the root, which is the directory', '/', '/crawl.sqlite'],
  ['the root, above the directory', '/tmp/out', '/'],
  ['the directory, which is a relative path', 'out/', 'out/lock.sqlite'],
])('an error of %s is reported as one of the state directory', (_, directory, path) => {
  const described = stateError(directory, systemError('EACCES', path))
  expect(described).toMatchObject({
    kind: 'state',
    message: `${directory}: expected a directory that can be written, got one without permission`,
  })
  expect(stateError(directory, systemError('EMFILE', path))).toMatchObject({
    message: expect.stringContaining(`${directory}: can't be used: EMFILE`),
  })
})

it.each(['EACCES', 'EROFS', 'ENOTDIR', 'EEXIST', 'EMFILE', 'ENOSPC', 'EIO'])(
  'an error of another file is not reported as one of the state directory: %s',
  (code) => {
    for (const path of ['/tmp/out.jsonl', '/elsewhere/out', '/tmp/ou']) {
      const error = systemError(code, path)
      expect(stateError('/tmp/out', error)).toBe(error)
    }
  },
)

it('a full disk is reported for the state directory if the system names no file', () => {
  expect(stateError('/tmp/out', systemError('ENOSPC'))).toMatchObject({
    kind: 'output',
    message: expect.stringContaining("/tmp/out: can't be written"),
  })
})

it('a file system that is unfit for databases is not reported as a failure that may pass', () => {
  const error = Object.assign(new Error('disk I/O error'), { errcode: 4618 })
  expect(stateError('/share/kept', error)).toMatchObject({
    kind: 'state',
    message:
      '/share/kept: expected a file system with locks and shared memory, got one without; name a directory on a local disk',
  })
})

describe("a state that can't be accessed", () => {
  it.each([
    [
      'read',
      { code: 'EACCES', path: '/here/crawl.sqlite' },
      'can be read, got one without permission',
    ],
    ['read', { errcode: 14 }, 'can be read'],
    [
      'written',
      { code: 'EACCES', path: '/here/crawl.sqlite' },
      'can be written, got one without permission',
    ],
    ['written', { errcode: 14 }, 'can be written'],
    ['read', { errcode: 8 }, 'can be written, got a read-only one'],
  ] as const)(
    'is reported with what should have been done: %s after %j',
    (access, fields, expected) => {
      const error = stateError('/here', Object.assign(new Error('refused'), fields), access)
      expect(error).toMatchObject({
        kind: 'state',
        message: `/here: expected a directory that ${expected}`,
      })
    },
  )
})
