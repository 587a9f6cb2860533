import { constants, createWriteStream, existsSync, ftruncateSync, type WriteStream } from 'node:fs'
import { type FileHandle, open, readFile, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Compression } from '../compressed-files/compression.ts'
import { MemberStream } from '../compressed-files/member-stream.ts'
import { CrawlerError, codeOf } from '../errors.ts'
import type { Positions } from '../state/ledger.ts'
import { checkCommittedPart, lostBytesError } from './committed-part.ts'
import { fileIdentity, isDevice, isSameFile } from './file-identity.ts'
import type { OutputEvents } from './output.ts'
import { outputError, StreamOutput } from './stream-output.ts'
import { syncFolder } from './sync-folder.ts'

/** 0 on Windows, which has no such flag. */
const { O_NOFOLLOW = 0 } = constants

/** A file or device that this process has opened, or a file that a shell opened for it. */
type FileTarget = OpenedFile | InheritedFile

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

interface OpenOptions {
  /** True if an existing file may be replaced. */
  readonly overwrite?: boolean
  /** True if an empty file may be replaced: a crawl that was killed before its first commit leaves one. */
  readonly mayReplaceEmpty?: boolean
  /** Bytes that an earlier run committed; absent for a first run. */
  readonly position?: number | undefined
  /**
   * True if the user named the file, so that it may be a link. At a name that is only derived from
   * the user's, somebody may have planted a link.
   */
  readonly isNamedByUser?: boolean
  /** Compression of a file. Devices get uncompressed text. */
  readonly compression?: Compression | undefined
  /** See `checkCommittedPart`. */
  readonly nextBytes?: readonly number[] | undefined
  /** True if the crawl is part of a job, which never visits a page again that is in a file of its processes. */
  readonly isOfJob?: boolean
  /** True if an earlier run of the crawl has committed. */
  readonly isResumed?: boolean
}

/** Writes to a text file. Its old content is removed when `open` is called, not earlier. */
export class FileOutput extends StreamOutput {
  readonly #target: FileTarget
  readonly #stream: WriteStream
  readonly #members: MemberStream | undefined
  /** The file, if it can be truncated: not a device, and not a file to which other programs may write, too. */
  readonly #ownFile: FileHandle | undefined
  #isOpen = false
  /** True as long as a power cut may lose the file's name. */
  #needsFolderSync: boolean

  constructor(target: FileTarget, compression?: Compression) {
    const { name, kind, position } = target
    const ownFile = kind === 'device' || kind === 'inherited' ? undefined : target.handle
    const stream = streamOf(target)
    const isPlain = compression === undefined || ownFile === undefined
    const members = isPlain ? undefined : new MemberStream(stream, compression, position === 0)
    super(members ?? stream, name, true)
    this.#target = target
    this.#stream = stream
    this.#members = members
    this.#ownFile = ownFile
    this.#needsFolderSync = kind === 'new'
  }

  override get isCutBackOnResume(): boolean {
    return this.#ownFile !== undefined
  }

  /** True if the file did not exist before. */
  get isNew(): boolean {
    return this.#target.kind === 'new'
  }

  /** Number of committed bytes before the new ones. */
  get start(): number {
    return this.#target.position
  }

  override get isEmpty(): boolean {
    return this.start === 0
  }

  override open(events: OutputEvents): void {
    const target = this.#target
    this.#isOpen = true
    if (target.kind === 'replaced' || target.kind === 'resumed')
      ftruncateSync(target.handle.fd, target.position)
    super.open(events)
  }

  override async sync(): Promise<Positions> {
    await super.sync()
    if (this.#ownFile === undefined) return {}
    await this.#checkFile(this.#ownFile)
    const length = this.#written
    await this.#ownFile.datasync().catch((error) => {
      throw outputError(this.#target.name, error)
    })
    if (this.#needsFolderSync) await syncFolder(dirname(resolve(this.#target.name)))
    this.#needsFolderSync = false
    return { [resolve(this.#target.name)]: length }
  }

  /** Closes the file. It keeps its old content if `open` was never called. */
  override async close(): Promise<void> {
    if (!this.#isOpen) return this.#closeHandle()
    try {
      if (this.#ownFile !== undefined) {
        await super.sync()
        await this.#checkFile(this.#ownFile)
      }
    } finally {
      await super.close()
    }
  }

  /** Number of bytes that the file should have. */
  get #written(): number {
    return this.#target.position + this.#stream.bytesWritten
  }

  /**
   * Checks that the written records can be found in the file.
   * @throws CrawlerError('output') if the file was removed, or another program has changed it; a file that was moved is
   *   fine
   */
  async #checkFile(handle: FileHandle): Promise<void> {
    const { name } = this.#target
    // The descriptor was closed after an error.
    if (handle.fd < 0) return
    const least = this.#written
    const { nlink, size } = await handle.stat()
    if (nlink === 0 && !isSameFile(name, handle.fd)) throw outputError(name, 'it was removed')
    if (size < least) throw outputError(name, 'another program has cut it')
    // The file may already have bytes whose write hasn't been reported: the processes of a job write during a sync.
    const most = this.#written + this.#stream.writableLength
    // SQLite writes a file that has only been opened here.
    if (size > most && this.#stream.bytesWritten > 0)
      throw outputError(name, 'another program has written to it, too')
  }

  protected override async flushed(): Promise<void> {
    await super.flushed()
    await this.#members?.endMember()
  }

  /** Undoes the opening; called instead of `open` when the crawl can't start. */
  async discard(): Promise<void> {
    await this.#closeHandle()
    if (this.#target.kind === 'new') await unlink(this.#target.name)
  }

  async #closeHandle(): Promise<void> {
    if (this.#target.kind !== 'inherited') await this.#target.handle.close()
  }
}

/** Opens the stream of a file. An inherited file stays open at the end, since another program opened it. */
function streamOf(target: FileTarget): WriteStream {
  const { name, kind, position } = target
  if (kind === 'inherited')
    return createWriteStream(name, { fd: target.descriptor, autoClose: false })
  const start = kind === 'resumed' ? { start: position } : {}
  return createWriteStream(name, { fd: target.handle, ...start })
}

/**
 * Opens a text file: a new one, one to replace or to continue, or a device such as a pipe.
 * @throws CrawlerError('usage') if it exists and may not be replaced, 'output' if it can't be
 * opened, 'state' if it is shorter than its committed part
 */
export async function createFileOutput(file: string, choice: OpenOptions): Promise<FileOutput> {
  try {
    return new FileOutput(await openTarget(file, choice), choice.compression)
  } catch (error) {
    throw error instanceof CrawlerError ? error : openingError(file, error)
  }
}

function openingError(file: string, cause: unknown): CrawlerError {
  const code = codeOf(cause)
  if (code === 'EISDIR') {
    const message = `${file}: expected the name of a file to write, got a folder`
    return new CrawlerError('output', message, { cause })
  }
  if (code !== 'ENOENT') return outputError(file, cause)
  const lacks = existsSync(dirname(file)) ? 'the file that it links to' : 'its folder'
  return outputError(file, `${lacks} doesn't exist`)
}

async function openTarget(name: string, choice: OpenOptions): Promise<FileTarget> {
  const { overwrite = false, mayReplaceEmpty = false, isNamedByUser = true } = choice
  // Appending leaves no gap: a file that another program has truncated stays short, which the next check notices.
  const flags = constants.O_WRONLY | constants.O_APPEND | (isNamedByUser ? 0 : O_NOFOLLOW)
  const descriptor = descriptorOf(name)
  if (descriptor !== undefined) return openInherited(name, descriptor)
  const { position, nextBytes } = choice
  if (position !== undefined) return reopen(name, position, flags, nextBytes)
  const created = await open(name, 'ax').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (created !== undefined) return { name, handle: created, kind: 'new', position: 0 }
  const handle = await open(name, flags)
  const file = await handle.stat()
  if (!file.isFile()) return { name, handle, kind: 'device', position: 0 }
  if (overwrite || (mayReplaceEmpty && (await isEmpty(name, file.size, choice)))) {
    return { name, handle, kind: 'replaced', position: 0 }
  }
  await handle.close()
  const message = `${name}: expected a file that doesn't exist yet; ${adviceOnExisting(choice)}`
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
