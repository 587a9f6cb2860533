import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlerError, messageOf } from '../../../errors.ts'

/** Bytes of a block; a body takes whole blocks. */
const BLOCK = 256 * 1_024

/**
 * Where large bodies are kept until they have arrived: a file without a name, which the system removes
 * with the thread. In memory, whoever sends slowly would hold what others wait for. Blocks that are given
 * back are used again; when all are, the file is empty.
 */
export class ScratchFile {
  readonly #folder: string
  #file: number | undefined
  readonly #free: number[] = []
  #blocks = 0

  /** @param folder where the file is created when it is first needed */
  constructor(folder = tmpdir()) {
    this.#folder = folder
  }

  open(): StoredBody {
    return new StoredBody(this)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  /** Returns the number of a free block. */
  takeBlock(): number {
    return this.#free.pop() ?? this.#blocks++
  }

  release(blocks: readonly number[]): void {
    this.#free.push(...blocks)
    if (this.#free.length < this.#blocks || this.#file === undefined) return
    ftruncateSync(this.#file)
    this.#free.length = 0
    this.#blocks = 0
  }

  /** Returns how many bytes were written. Throws if the disk is full, or there is no folder. */
  write(bytes: Buffer, block: number, at: number): number {
    this.#file ??= openNameless(this.#folder)
    return writeSync(this.#file, bytes, 0, bytes.length, block * BLOCK + at)
  }

  /**
   * Fills some of the bytes, and gives how many.
   * @throws CrawlerError('output')
   */
  read(bytes: Buffer, block: number, at: number): number {
    try {
      const count = readSync(this.#file ?? -1, bytes, 0, bytes.length, block * BLOCK + at)
      if (count === 0) throw new Error('it is shorter than what was written')
      return count
    } catch (error) {
      const message = `a temporary file in ${this.#folder} can't be read: ${messageOf(error)}`
      throw new CrawlerError('output', message, { cause: error })
    }
  }
}

/** A large body that is being received. The part that the file has no room for is in memory. */
export class StoredBody {
  readonly #file: ScratchFile
  readonly #blocks: number[] = []
  #inFile = 0
  readonly #rest: Buffer[] = []
  #inMemory = 0

  constructor(file: ScratchFile) {
    this.#file = file
  }

  get length(): number {
    return this.#inFile + this.#inMemory
  }

  /** Adds bytes, which may be overwritten afterwards. */
  append(piece: Buffer): void {
    try {
      if (this.#rest.length > 0) this.#hold(piece)
      else this.#write(piece)
    } catch {
      this.#hold(piece)
    }
  }

  /** Copies all of it to the start of `room`, and gives that part. */
  read(room: Buffer): Buffer {
    for (let at = 0; at < this.#inFile; ) {
      const { block, from, to } = this.#placeOf(at, this.#inFile - at)
      at += this.#file.read(room.subarray(at, at + to - from), block, from)
    }
    let end = this.#inFile
    for (const piece of this.#rest) end += piece.copy(room, end)
    return room.subarray(0, end)
  }

  /** Frees its blocks. The body must not be used afterwards. */
  release(): void {
    this.#file.release(this.#blocks.splice(0))
  }

  #write(piece: Buffer): void {
    for (let done = 0; done < piece.length; ) {
      const { block, from, to } = this.#placeOf(this.#inFile + done, piece.length - done)
      done += this.#file.write(piece.subarray(done, done + to - from), block, from)
    }
    this.#inFile += piece.length
  }

  #hold(piece: Buffer): void {
    this.#rest.push(Buffer.from(piece))
    this.#inMemory += piece.length
  }

  /** The part of a block where bytes of the body lie: those from `at` on, at most `count` of them. */
  #placeOf(at: number, count: number) {
    const index = Math.floor(at / BLOCK)
    if (index === this.#blocks.length) this.#blocks.push(this.#file.takeBlock())
    const from = at % BLOCK
    return { block: this.#blocks[index] ?? 0, from, to: Math.min(BLOCK, from + count) }
  }
}

function openNameless(folder: string): number {
  const name = join(folder, `orbweaver-bodies-${randomUUID()}`)
  const file = openSync(name, 'wx+', 0o600)
  unlinkSync(name)
  return file
}
