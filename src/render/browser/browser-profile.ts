import { spawnSync } from 'node:child_process'
import {
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../errors.ts'

/** The user that a browser runs as, if it isn't that of this process. */
export interface ProfileOwner {
  readonly uid: number
  readonly gid: number
}

/** Chromium makes a socket in its profile, and the path of one has at most 107 bytes. */
const PREFIX = 'orbweaver-browser-'
/** A link in a profile, whose target names its process: it is made and read in one step. */
const PROCESS_LINK = 'process'

/** Creates the profile of a browser in a folder. Removes profiles there whose processes were killed. */
export function createProfile(folder: string, owner: ProfileOwner | undefined): string {
  removeLeftovers(folder, owner)
  const profile = mkdtempSync(join(folder, PREFIX))
  symlinkSync(`${processNamespace()}-${process.pid}`, join(profile, PROCESS_LINK))
  if (owner !== undefined) chownSync(profile, owner.uid, owner.gid)
  return profile
}

/** Removes the profile of a browser that has ended. */
export function removeProfile(profile: string, owner: ProfileOwner | undefined): void {
  try {
    if (owner === undefined) {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
      return
    }
    // As the browser's user: it could put links into the profile meanwhile, and root may remove what they lead to.
    spawnSync('rm', ['-rf', '--', profile], { ...owner, cwd: '/', stdio: 'ignore' })
    rmdirSync(profile)
  } catch {
    // It is gone, or a process of the browser that still writes leaves a folder of a few files behind.
  }
}

function removeLeftovers(folder: string, owner: ProfileOwner | undefined): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (name.startsWith(PREFIX) && isOwn(path, owner) && isLeftover(path)) {
      removeProfile(path, owner)
    }
  }
}

/** Returns no names of a folder that can't be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Returns whether a path is a folder, and no link, of the user whose browser is started. */
function isOwn(path: string, owner: ProfileOwner | undefined): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  const uid = owner?.uid ?? process.getuid?.()
  return stats?.isDirectory() === true && (uid === undefined || stats.uid === uid)
}

/** Returns whether the process of a profile has ended. */
function isLeftover(profile: string): boolean {
  const [, namespace, pid] = /^(\d+)-(\d+)$/.exec(targetOf(join(profile, PROCESS_LINK))) ?? []
  return pid !== undefined && namespace === processNamespace() && !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** Returns the namespace in which process ids count: containers may share a folder for temporary files. */
function processNamespace(): string {
  // Only Linux has them.
  return /\d+/.exec(targetOf('/proc/self/ns/pid'))?.[0] ?? '0'
}

/** Returns where a link leads; '' if it is none. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
