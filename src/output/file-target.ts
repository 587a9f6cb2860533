import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import type { Compression } from '../compressed-files/compression.ts'
import { CrawlerError } from '../errors.ts'
import { checkCommittedPart, lostBytesError } from './committed-part.ts'
import { fileIdentity, isDevice } from './file-identity.ts'

/** 0 on Windows, which has no such flag. */
const { O_NOFOLLOW = 0 } = constants

/** A file or device that this process has opened, or a file that a shell opened for it. */
export type FileTarget = OpenedFile | InheritedFile

interface OpenedFile {
  readonly name: string
  readonly handle: FileHandle
  readonly kind: 'new' | 'replaced' | 'resumed' | 'device'
  /** Number of committed bytes. The file is truncated after them. */
  readonly position: number
}

interface InheritedFile {
  readonly name: string
  readonly descriptor: number
  readonly kind: 'inherited'
  readonly position: 0
}

/** The properties of a file that its output determines. */
export interface FileTraits {
  /**
   * True if the user named the file, so that it may be a link. At a name that is only derived from
   * the user's, somebody may have planted a link.
   */
  readonly isNamedByUser?: boolean
  /** Compression of a file. Devices get uncompressed text. */
  readonly compression?: Compression | undefined
  /**
   * The bytes with which a part of the file may begin, if it is neither lines nor compressed as its name says. A
   * resumed crawl cuts off the parts after its committed bytes, and recognizes by them that the file was not edited.
   */
  readonly nextBytes?: readonly number[] | undefined
}

export interface OpenOptions extends FileTraits {
  /** True if an existing file may be replaced. */
  readonly overwrite?: boolean
  /** True if an empty file may be replaced: a crawl that was killed before its first commit leaves one. */
  readonly mayReplaceEmpty?: boolean
  /** Bytes that an earlier run committed; absent for a first run. */
  readonly position?: number | undefined
  /** True if the crawl is part of a job, which never visits a page again that is in a file of its processes. */
  readonly isOfJob?: boolean
  /** True if an earlier run of the crawl has committed. */
  readonly isResumed?: boolean
}

/**
 * Opens a file: a new one, one to replace or to continue, or a device such as a pipe.
 * @throws CrawlerError('usage') if it exists and may not be replaced, 'state' if it is shorter than its committed part,
 *   and errors of the system
 */
export async function openTarget(
  name: string,
  options: OpenOptions,
  platform = process.platform,
): Promise<FileTarget> {
  const { overwrite = false, mayReplaceEmpty = false, isNamedByUser = true } = options
  // Appending leaves no gap: a file that another program has truncated stays short, which the next check notices. But
  // Windows truncates no file that is open for appending.
  const appends = platform === 'win32' ? 0 : constants.O_APPEND
  const flags = constants.O_WRONLY | appends | (isNamedByUser ? 0 : O_NOFOLLOW)
  const descriptor = descriptorOf(name)
  if (descriptor !== undefined) return openInherited(name, descriptor)
  const { position, nextBytes } = options
  if (position !== undefined) return reopen(name, position, flags, nextBytes)
  const created = await open(name, 'ax').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (created !== undefined) return { name, handle: created, kind: 'new', position: 0 }
  const handle = await open(name, flags)
  const file = await handle.stat()
  if (!file.isFile()) return { name, handle, kind: 'device', position: 0 }
  if (overwrite || (mayReplaceEmpty && (await isEmpty(name, file.size, options)))) {
    return { name, handle, kind: 'replaced', position: 0 }
  }
  await handle.close()
  const message = `${name}: expected a file that doesn't exist yet; ${adviceOnExisting(options)}`
  throw new CrawlerError('usage', message)
}

function adviceOnExisting({ isOfJob, isResumed }: OpenOptions): string {
  if (isOfJob)
    return 'each start of a process of a job needs another name, since no page in the file is visited again (--overwrite replaces it)'
  return isResumed
    ? '--overwrite replaces it, but pages that are done are not visited again'
    : '--overwrite replaces it'
}

/** Returns whether a file contains no text: it has no bytes, or only those of an empty compressed file. */
async function isEmpty(name: string, size: number, { compression }: OpenOptions): Promise<boolean> {
  const { empty } = compression ?? {}
  return size === 0 || (size === empty?.length && empty.equals(await readFile(name)))
}

/** Names of files that a shell opened for this process. */
const INHERITED = /^\/(?:dev\/(?:stdout|stderr|fd\/(\d+))|proc\/self\/fd\/(\d+))$/

/** Returns the descriptor that a name refers to; undefined for any other name. */
function descriptorOf(name: string): number | undefined {
  const [found, ...numbers] = INHERITED.exec(name) ?? []
  if (found === undefined) return undefined
  return Number(numbers.find(Boolean) ?? (name === '/dev/stdout' ? 1 : 2))
}

/**
 * Opens a file or device that a shell opened for this process. A file is used by its descriptor. If it were opened
 * again, it would have another position, and programs that write to it afterwards would overwrite the text.
 */
async function openInherited(name: string, descriptor: number): Promise<FileTarget> {
  if (isDevice(descriptor) || fileIdentity(descriptor) === undefined) {
    const handle = await open(name, constants.O_WRONLY | constants.O_APPEND)
    return { name, handle, kind: 'device', position: 0 }
  }
  return { name, descriptor, kind: 'inherited', position: 0 }
}

async function reopen(
  name: string,
  position: number,
  flags: number,
  nextBytes: readonly number[] | undefined,
): Promise<FileTarget> {
  // Devices have no position, so the crawl wrote a file. Opening a pipe that nobody reads would block for ever.
  if (isDevice(name)) {
    const message = `${name}: expected the file that the crawl wrote, got something else`
    throw new CrawlerError('state', message)
  }
  const creating = position === 0 ? constants.O_CREAT : 0
  const handle = await open(name, flags | creating).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' && position > 0 ? lostBytesError(name, position, 'none') : error
  })
  try {
    await checkCommittedPart(name, position, (await handle.stat()).size, nextBytes)
  } catch (error) {
    await handle.close()
    throw error
  }
  return { name, handle, kind: 'resumed', position }
}
