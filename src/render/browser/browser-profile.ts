import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../../errors.ts'

/** The user that a browser runs as, if it differs from the user of this process. */
export interface ProfileOwner {
  readonly uid: number
  readonly gid: number
}

/** Start of the names of profiles. */
const PREFIX = 'orbweaver-browser-'
/** Maximum bytes of the path of a socket; other systems than Linux allow a little less. */
const MAX_SOCKET_BYTES = process.platform === 'linux' ? 107 : 103
/** Bytes of the path of the socket that Chromium creates in its profile, from the folder of profiles on. */
const SOCKET_BYTES = '/orbweaver-browser-XXXXXX/org.chromium.Chromium.XXXXXX/SingletonSocket'.length
/** A symbolic link in a profile, whose target names its process. A link is created and read in one step. */
const PROCESS_LINK = 'process'
/** A symbolic link of Chromium in its profile, whose target ends in the id of its process. */
const BROWSER_LINK = 'SingletonLock'
/** Milliseconds after which a profile that still names no process is a leftover. */
const MAX_UNNAMED_MS = 10_000

/**
 * Returns the folder in which profiles are created: that for temporary files, or `/tmp` if its path is too long, or if
 * the browser's user can't reach it, as the folder for root's temporary files may be closed to others.
 */
export function profilesFolder(temporary: string, owner: ProfileOwner | undefined): string {
  // On Windows, there are no such sockets, and no other user.
  if (process.platform === 'win32') return temporary
  const isShort = Buffer.byteLength(temporary) + SOCKET_BYTES <= MAX_SOCKET_BYTES
  return isShort && (owner === undefined || isOpenToAll(temporary)) ? temporary : '/tmp'
}

function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder)
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (parent === folder || isOpenToAll(parent))
}

/** Creates the profile of a browser in a folder. Removes profiles from there whose processes were killed. */
export function createProfile(folder: string, owner: ProfileOwner | undefined): string {
  removeLeftovers(folder, owner)
  const profile = mkdtempSync(join(folder, PREFIX))
  // On Windows, only a junction needs no privilege. It makes its target absolute.
  symlinkSync(`${processNamespace()}-${process.pid}`, join(profile, PROCESS_LINK), 'junction')
  if (owner !== undefined) giveTo(owner, profile)
  return profile
}

/** @throws Error with advice if there is no such user, as in a container that has only root */
function giveTo({ uid, gid }: ProfileOwner, profile: string): void {
  try {
    chownSync(profile, uid, gid)
  } catch (error) {
    rmSync(profile, { recursive: true, force: true })
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'EPERM') throw error
    const message = `it doesn't run as root, and there is no user with the id ${uid} here to run it: run crawl as another user`
    throw new Error(message, { cause: error })
  }
}

/** Removes the profile of a browser that has ended. Also removes profiles beside it whose processes were killed. */
export function removeProfile(profile: string, owner: ProfileOwner | undefined): void {
  removeFolder(profile, owner)
  removeLeftovers(dirname(profile), owner)
}

function removeFolder(profile: string, owner: ProfileOwner | undefined): void {
  try {
    if (owner === undefined) {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
      return
    }
    // Runs as the browser's user. That user could put links into the profile meanwhile, and root could delete their
    // targets.
    spawnSync('rm', ['-rf', '--', profile], { ...owner, cwd: '/', stdio: 'ignore' })
    rmdirSync(profile)
  } catch {
    // The profile is gone, or a process of the browser still writes into it. Then a few files stay behind.
  }
}

function removeLeftovers(folder: string, owner: ProfileOwner | undefined): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (name.startsWith(PREFIX) && isOwn(path, owner) && isLeftover(path)) {
      removeFolder(path, owner)
    }
  }
}

/** Returns the names in a folder; none if it can't be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns whether a path is a folder, not a link, that belongs to the user of the browser to start. */
function isOwn(path: string, owner: ProfileOwner | undefined): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const uid = owner?.uid ?? process.getuid?.()
  return stats?.isDirectory() === true && (uid === undefined || stats.uid === uid)
}

/** Returns whether the crawl of a profile has ended, and its browser, which would create the folder again. */
function isLeftover(profile: string): boolean {
  const [, namespace, pid] =
    /^(\d+)-(\d+)$/.exec(basename(targetOf(join(profile, PROCESS_LINK)))) ?? []
  if (pid === undefined) {
    // Another crawl may have removed it by now.
    const changed = statSync(profile, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    return Date.now() - changed > MAX_UNNAMED_MS
  }
  const [browser] = /\d+$/.exec(targetOf(join(profile, BROWSER_LINK))) ?? []
  const pids = browser === undefined ? [pid] : [pid, browser]
  return namespace === processNamespace() && !pids.some((each) => isRunning(Number(each)))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** Returns the id of the process namespace: containers with different namespaces may share a temporary folder. */
function processNamespace(): string {
  // Only Linux has namespaces.
  return /\d+/.exec(targetOf('/proc/self/ns/pid'))?.[0] ?? '0'
}

/** Returns the target of a symbolic link; '' if the path is no link. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
