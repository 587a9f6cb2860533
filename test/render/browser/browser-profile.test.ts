import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createProfile,
  profilesFolder,
  removeProfile,
} from '../../../src/render/browser/browser-profile.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()
const isRoot = process.getuid?.() === 0
const OWNER = isRoot ? { uid: 65_534, gid: 65_534 } : undefined

beforeEach(() => {
  chmodSync(path(), 0o1777)
})

/** Creates a profile of another process. By default, that process has ended. */
function profileOf(pid = spawnSync(process.execPath, ['-e', '']).pid, namespace?: string): string {
  const profile = createProfile(path(), OWNER)
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default', 'Preferences'), '{}')
  if (OWNER !== undefined) chownSync(join(profile, 'Default'), OWNER.uid, OWNER.gid)
  const link = join(profile, 'process')
  const own = readlinkSync(link).split('-')[0]
  unlinkSync(link)
  symlinkSync(`${namespace ?? own}-${pid}`, link)
  return profile
}

describe('the profile of a browser', () => {
  it('is private to the user that the browser runs as', () => {
    const { mode, uid } = lstatSync(createProfile(path(), OWNER))
    expect([mode & 0o777, uid]).toEqual([0o700, OWNER?.uid ?? process.getuid?.()])
  })

  it('is removed with everything in it', () => {
    const profile = profileOf(process.pid)
    removeProfile(profile, OWNER)
    expect(existsSync(profile)).toBe(false)
  })

  it('is removed by the next browser if its process was killed', () => {
    const left = profileOf()
    createProfile(path(), OWNER)
    expect(existsSync(left)).toBe(false)
  })

  it('is kept while its process runs', () => {
    const profiles = [profileOf(process.pid), profileOf(process.ppid)]
    createProfile(path(), OWNER)
    expect(profiles.map((profile) => existsSync(profile))).toEqual([true, true])
  })

  it('is in the folder for temporary files, unless sockets there would have too long a path', () => {
    expect(profilesFolder('/var/tmp', undefined)).toBe('/var/tmp')
    expect(profilesFolder('/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T', undefined)).toBe(
      '/tmp',
    )
  })

  it('is kept if it belongs to another container, whose process IDs are separate', () => {
    const elsewhere = profileOf(undefined, '1')
    createProfile(path(), OWNER)
    expect(existsSync(elsewhere)).toBe(true)
  })

  it('is kept while its browser is still ending, and removed at the end of the next browser', () => {
    const left = profileOf()
    const lock = join(left, 'SingletonLock')
    symlinkSync(`host-${process.pid}`, lock)
    const next = createProfile(path(), OWNER)
    expect(existsSync(left)).toBe(true)
    unlinkSync(lock)
    removeProfile(next, OWNER)
    expect(existsSync(left)).toBe(false)
  })

  it('is removed if it names no process, but not at once, since it may be new', () => {
    const unnamed = profileOf()
    unlinkSync(join(unnamed, 'process'))
    createProfile(path(), OWNER)
    expect(existsSync(unnamed)).toBe(true)
    utimesSync(unnamed, 0, 0)
    createProfile(path(), OWNER)
    expect(existsSync(unnamed)).toBe(false)
  })

  it.runIf(isRoot)('is kept if it belongs to another user', () => {
    const left = profileOf()
    chownSync(left, 1234, 1234)
    createProfile(path(), OWNER)
    expect(existsSync(join(left, 'Default', 'Preferences'))).toBe(true)
  })

  it('is not removed through a symbolic link, nor are the targets of links in it', () => {
    const left = profileOf()
    mkdirSync(path('home'))
    writeFileSync(path('home', 'dear.txt'), 'dear data')
    symlinkSync(readlinkSync(join(left, 'process')), path('home', 'process'))
    symlinkSync(path('home'), path('orbweaver-browser-linked'))
    symlinkSync(path('home'), join(left, 'home'))
    createProfile(path(), OWNER)
    expect(existsSync(left)).toBe(false)
    expect(existsSync(path('orbweaver-browser-linked', 'dear.txt'))).toBe(true)
  })
})
