import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { CrawlerError } from '../errors.ts'
import type { Output, OutputEvents } from './output.ts'

/** JSON lines to a stream: stdout or a file. */
export class StreamOutput implements Output {
  readonly #stream: Writable
  readonly #name: string
  readonly #endsStream: boolean
  #broken = false

  /**
   * @param name for messages
   * @param endsStream whether the stream is ours to end; stdout is not
   */
  constructor(stream: Writable, name: string, endsStream: boolean) {
    this.#stream = stream
    this.#name = name
    this.#endsStream = endsStream
  }

  get congested(): boolean {
    return this.#stream.writableNeedDrain && !this.#broken
  }

  open(events: OutputEvents): void {
    this.#stream.on('drain', () => events.drained())
    this.#stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#broken = true
      if (error.code === 'EPIPE') events.closed()
      else events.failed(outputError(this.#name, error))
    })
  }

  write(records: readonly string[]): void {
    if (!this.#broken) this.#stream.write(records.join(''))
  }

  async close(): Promise<void> {
    if (this.#broken) return
    if (this.#endsStream) {
      this.#stream.end()
      await finished(this.#stream).catch(() => {}) // told by the error event
    } else {
      await new Promise<void>((resolve) => this.#stream.write('', () => resolve()))
    }
  }
}

/**
 * A new file of JSON lines.
 * @throws CrawlerError('usage') when it exists and may not be overwritten, 'output' when it can't be opened
 */
export async function createFileOutput(file: string, overwrite: boolean): Promise<Output> {
  try {
    const handle = await open(file, overwrite ? 'w' : 'wx')
    return new StreamOutput(createWriteStream(file, { fd: handle }), file, true)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw outputError(file, error)
    const message = `${file}: expected a file that doesn't exist yet; --overwrite replaces it`
    throw new CrawlerError('usage', message)
  }
}

function outputError(name: string, cause: unknown): CrawlerError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new CrawlerError('output', `${name}: can't be written: ${reason}`, { cause })
}
