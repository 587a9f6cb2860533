import { constants, createWriteStream, ftruncateSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { CrawlerError } from '../errors.ts'
import type { OutputEvents } from './output.ts'
import { outputError, StreamOutput } from './stream-output.ts'

/** Where the visits go. */
interface Target {
  readonly name: string
  readonly handle: FileHandle
  readonly kind: 'new' | 'replaced' | 'device'
}

/** A file of JSON lines. What it held is gone when it is opened for the first visit, not before. */
export class FileOutput extends StreamOutput {
  readonly #target: Target

  constructor(target: Target) {
    super(createWriteStream(target.name, { fd: target.handle }), target.name, true)
    this.#target = target
  }

  override open(events: OutputEvents): void {
    if (this.#target.kind === 'replaced') ftruncateSync(this.#target.handle.fd)
    super.open(events)
  }

  /** To be called instead of `open`, when the crawl could not begin: leaves things as they were. */
  async discard(): Promise<void> {
    await this.#target.handle.close()
    if (this.#target.kind === 'new') await unlink(this.#target.name)
  }
}

/**
 * A file of JSON lines: a new one, one that may be replaced, or a device such as a pipe.
 * @throws CrawlerError('usage') when it exists and may not be replaced, 'output' when it can't be opened
 */
export async function createFileOutput(file: string, overwrite: boolean): Promise<FileOutput> {
  try {
    return new FileOutput(await openTarget(file, overwrite))
  } catch (error) {
    throw error instanceof CrawlerError ? error : outputError(file, error)
  }
}

async function openTarget(name: string, overwrite: boolean): Promise<Target> {
  const created = await open(name, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (created !== undefined) return { name, handle: created, kind: 'new' }
  const handle = await open(name, constants.O_WRONLY)
  if (!(await handle.stat()).isFile()) return { name, handle, kind: 'device' }
  if (overwrite) return { name, handle, kind: 'replaced' }
  await handle.close()
  const message = `${name}: expected a file that doesn't exist yet; --overwrite replaces it`
  throw new CrawlerError('usage', message)
}
