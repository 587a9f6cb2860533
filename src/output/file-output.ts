import { createWriteStream, existsSync, ftruncateSync, type WriteStream } from 'node:fs'
import { type FileHandle, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Compression } from '../compressed-files/compression.ts'
import { MemberStream } from '../compressed-files/member-stream.ts'
import { CrawlerError, codeOf } from '../errors.ts'
import type { Positions } from '../state/ledger.ts'
import { isSameFile } from './file-identity.ts'
import { type FileTarget, type OpenOptions, openTarget } from './file-target.ts'
import type { OutputEvents } from './output.ts'
import { outputError } from './output-error.ts'
import { StreamOutput } from './stream-output.ts'
import { syncFolder } from './sync-folder.ts'

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
export async function openFileOutput(file: string, options: OpenOptions): Promise<FileOutput> {
  try {
    return new FileOutput(await openTarget(file, options), options.compression)
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
