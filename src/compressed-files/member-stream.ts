import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Compression } from './compression.ts'

/** Bytes of text after which a member ends. Larger members would compress little better. */
const MEMBER_BYTES = 2 ** 20
/** Maximum milliseconds for which text waits until a member is full. */
const MAX_WAIT_MS = 5_000

/**
 * Compresses text into independent members (gzip) or frames (zstd). Writes only whole members to the
 * file, each with one write. So the file can be read at any time, even after its writer was killed,
 * and it can be truncated to the end of any member and continued there.
 */
export class MemberStream extends Writable {
  readonly #file: Writable
  readonly #compression: Compression
  #texts: Buffer[] = []
  #length = 0
  #timer: NodeJS.Timeout | undefined
  #written: Promise<void> = Promise.resolve()
  #isEmpty: boolean

  /** @param isEmpty true if the file has no member yet */
  constructor(file: Writable, compression: Compression, isEmpty = true) {
    super({ highWaterMark: MEMBER_BYTES })
    this.#file = file
    this.#compression = compression
    this.#isEmpty = isEmpty
    file.on('error', (error) => this.destroy(error))
  }

  override _write(text: Buffer, _: BufferEncoding, done: () => void): void {
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length >= MEMBER_BYTES) {
      this.endMember().then(done)
      return
    }
    if (this.#length > 0) this.#timer ??= setTimeout(() => void this.endMember(), MAX_WAIT_MS)
    done()
  }

  override _final(done: (error?: Error) => void): void {
    this.endMember()
      .then(() => {
        // gunzip rejects a file of 0 bytes.
        if (this.#isEmpty) this.#file.write(this.#compression.empty)
        return finished(this.#file.end())
      })
      .then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer)
    this.#file.destroy()
    done(error)
  }

  /**
   * Makes a member of the text so far. Resolves when it was written to the file. Errors are reported
   * by the `error` event.
   */
  endMember(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const texts = this.#texts
    this.#texts = []
    if (this.#length > 0) this.#written = this.#written.then(() => this.#writeMember(texts))
    this.#length = 0
    return this.#written
  }

  async #writeMember(texts: readonly Buffer[]): Promise<void> {
    this.#isEmpty = false
    try {
      const member = await this.#compression.compress(Buffer.concat(texts))
      await new Promise<void>((resolve, reject) =>
        this.#file.write(member, (error) => (error ? reject(error) : resolve())),
      )
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  }
}
