import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInsideFolder } from '../../src/config/path-containment.ts'

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-inside-'))
beforeAll(() => {
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('sub', join(folder, 'to-sub'))
  symlinkSync('/etc', join(folder, 'to-etc'))
  symlinkSync('/nowhere/yet', join(folder, 'to-nowhere'))
  symlinkSync(folder, join(folder, 'to-itself'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('a file name lies', () => {
  it.each([
    ...['new', 'new/deep/er', 'file', '.', 'to-sub/new', 'to-itself/new', 'a..b/c'],
    join(folder, 'new'),
  ])('inside: %s', (name) => expect(isInsideFolder(name, folder)).toBe(true))

  it.each([
    ...['..', '../new', 'sub/../../new', '/etc/new', `${folder}-other`],
    ...['to-etc', 'to-etc/new', 'to-nowhere', 'to-nowhere/new', 'to-itself/../new', 'sub/../new'],
    ...['.git', '.git/hooks/post-merge', 'sub/.ssh/authorized_keys', 'file/new', 'a\0b'],
    `${'a/'.repeat(100_000)}b`,
  ])('outside: %j', (name) => expect(isInsideFolder(name, folder)).toBe(false))
})
