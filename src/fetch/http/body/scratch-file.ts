import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CrawlerError, messageOf } from '../../../errors.ts'

/** Bytes of a block. A body occupies whole blocks. */
const BLOCK = 256 * 1_024

/**
 * A file for large bodies while they are received. It has no name, so the system removes it when the thread ends. In
 * shared memory, bodies of slow servers would occupy slots that other bodies wait for. Released blocks are used again.
 * When all blocks are released, the file is truncated.
 */
export class ScratchFile {
  readonly #folder: string
  #file: number | undefined
  readonly #free: number[] = []
  #blocks = 0

  /** @param folder the folder where the file is created when it is first needed */
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

  /** Writes bytes and returns how many were written. Throws if the disk is full or the folder doesn't exist. */
  write(bytes: Buffer, block: number, at: number): number {
    this.#file ??= openNameless(this.#folder)
    return writeSync(this.#file, bytes, 0, bytes.length, block * BLOCK + at)
  }

  /**
   * Reads at least one byte into `bytes`. Returns the number of bytes read.
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

/** A large body that is being received. If the file can't be written, the rest of the body is kept in memory. */
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

  /** Appends bytes. The caller may overwrite them afterwards. */
  append(piece: Buffer): void {
    try {
      if (this.#rest.length > 0) this.#keepInMemory(piece)
      else this.#write(piece)
    } catch {
      this.#keepInMemory(piece)
    }
  }

  /** Copies the whole body to the start of `room`. Returns that part of it. */
  read(room: Buffer): Buffer {
    for (let at = 0; at < this.#inFile; ) {
      const { block, from, to } = this.#placeOf(at, this.#inFile - at)
      at += this.#file.read(room.subarray(at, at + to - from), block, from)
    }
    let end = this.#inFile
    for (const piece of this.#rest) end += piece.copy(room, end)
    return room.subarray(0, end)
  }

  /** Frees the blocks of the body, which must not be used afterwards. */
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

  #keepInMemory(piece: Buffer): void {
    this.#rest.push(Buffer.from(piece))
    this.#inMemory += piece.length
  }

  /** Returns the part of a block for at most `count` bytes of the body, from `at` on. Takes a new block if needed. */
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
