import fs, { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeDirectory } from '../../src/database/make-directory.ts'
import { runCrawl } from '../support/run-cli.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it('makeDirectory creates a directory and its parents, and returns the outermost new one', () => {
  expect(makeDirectory(path('a', 'b', 'c'), 0o700)).toBe(path('a'))
  expect(statSync(path('a', 'b', 'c')).mode & 0o777).toBe(0o700)
  expect(statSync(path('a')).mode & 0o777).toBe(0o700)
})

it('makeDirectory leaves an existing directory unchanged, also behind a link', () => {
  mkdirSync(path('there'), { mode: 0o755 })
  symlinkSync(path('there'), path('link'))
  expect(makeDirectory(path('there'), 0o700)).toBeUndefined()
  expect(makeDirectory(path('link'))).toBeUndefined()
  expect(statSync(path('there')).mode & 0o777).toBe(0o755)
})

it('uses a directory that another process creates at the same time', () => {
  const create = mkdirSync
  const spy = vi.spyOn(fs, 'mkdirSync').mockImplementation((name, options) => {
    create(name, options)
    return create(name, options)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  expect(makeDirectory(path('a', 'b'))).toBeUndefined()
  expect(statSync(path('a', 'b')).isDirectory()).toBe(true)
  expect(spy).toHaveBeenCalledTimes(2)
})

it('makeDirectory refuses a file, and a link to nothing', () => {
  writeFileSync(path('file'), '')
  symlinkSync(path('nowhere'), path('link'))
  for (const name of ['file', 'link']) {
    expect(() => makeDirectory(path(name))).toThrow('EEXIST')
    expect(() => makeDirectory(path(name, 'below'))).toThrow(/EEXIST|ENOTDIR/)
  }
  expect(existsSync(path('nowhere'))).toBe(false)
})

it.runIf(existsSync('/proc/self'))(
  'makeDirectory refuses a directory under /proc, without hanging',
  async () => {
    // In a process of its own, since the bug was a call that never returned.
    const run = (...flags: string[]) => runCrawl(['http://127.0.0.1:9/', '-q', ...flags])
    expect(await run('--state', '/proc/x')).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/^crawl: \/proc\/x: [^\n]+\n$/),
    })
    expect(await run('--save-bodies', '/proc/x/y')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/^crawl: \/proc\/x\/y: [^\n]+\n$/),
    })
  },
)
