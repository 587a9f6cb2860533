import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from '../../../encoding/ascii.ts'
import { headerTooLarge, invalidResponse } from '../network-failure.ts'
import { exceedsOverhead } from '../overhead.ts'

const SEMICOLON = 0x3b

/** Maximum bytes of the trailer, the fields after the last chunk. */
const MAX_TRAILER = 64 * 1_024

/** The part of a chunk that the next byte belongs to. */
type ChunkPart = 'size' | 'extension' | 'data' | 'data-end' | 'trailer' | 'done'

/** Decodes a chunked body (RFC 9112, 7.1). Lines may end with LF only, as in browsers. */
export class ChunkedBody {
  readonly #onData: (bytes: Buffer) => void
  #part: ChunkPart = 'size'
  /** Size of the chunk, or the number of its bytes that are still to come. */
  #size = 0
  #hasDigits = false
  /** True after the last digit of the size: only white space, an extension or the end of the line may follow. */
  #isSizeOver = false
  /** Length of the current line of the trailer so far. */
  #lineLength = 0
  /** True directly after a carriage return, when only a line feed may follow. */
  #isReturned = false
  #trailer = 0
  /** Number of all bytes read, and of the bytes of the body among them. */
  #received = 0
  #body = 0

  constructor(onData: (bytes: Buffer) => void) {
    this.#onData = onData
  }

  get isDone(): boolean {
    return this.#part === 'done'
  }

  /**
   * Reads bytes from an index up to the end of the body, at most. Returns the index after the last byte read.
   * @throws FetchFailure
   */
  read(bytes: Buffer, from: number): number {
    let at = from
    while (at < bytes.length && this.#part !== 'done') {
      at = this.#part === 'data' ? this.#readData(bytes, at) : this.#readByte(bytes[at] ?? 0, at)
    }
    this.#received += at - from
    if (exceedsOverhead(this.#received, this.#body)) {
      throw invalidResponse('the chunk framing is far larger than the body')
    }
    return at
  }

  #readData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#size)
    this.#size -= end - at
    this.#body += end - at
    if (this.#size === 0) this.#part = 'data-end'
    this.#onData(bytes.subarray(at, end))
    return end
  }

  #readByte(byte: number, at: number): number {
    if (this.#isReturned && byte !== LINE_FEED)
      throw invalidResponse('a carriage return without a line feed')
    this.#isReturned = byte === CARRIAGE_RETURN
    if (this.#part === 'size') this.#readSize(byte)
    else if (this.#part === 'extension') {
      if (byte === LINE_FEED) this.#beginData()
    } else if (this.#part === 'data-end') this.#readDataEnd(byte)
    else this.#readTrailer(byte)
    return at + 1
  }

  #readSize(byte: number): void {
    const digit = this.#isSizeOver ? -1 : digitOf(byte)
    if (digit >= 0) {
      this.#hasDigits = true
      this.#size = 16 * this.#size + digit
      if (!Number.isSafeInteger(this.#size)) throw invalidResponse('a chunk is too long')
      return
    }
    if (!this.#hasDigits) throw invalidResponse('a chunk begins without its size')
    this.#isSizeOver = true
    if (byte === SEMICOLON) this.#part = 'extension'
    else if (byte === LINE_FEED) this.#beginData()
    else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) {
      throw invalidResponse('the size of a chunk is not a number')
    }
  }

  #beginData(): void {
    this.#part = this.#size === 0 ? 'trailer' : 'data'
    this.#lineLength = 0
    this.#hasDigits = this.#isSizeOver = false
  }

  #readDataEnd(byte: number): void {
    if (byte === LINE_FEED) this.#part = 'size'
    else if (byte !== CARRIAGE_RETURN) throw invalidResponse('a chunk is longer than its size')
  }

  /** Skips the trailer, whose fields are not needed. */
  #readTrailer(byte: number): void {
    if (++this.#trailer > MAX_TRAILER) {
      throw headerTooLarge(`the trailer is longer than ${MAX_TRAILER} bytes`)
    }
    if (byte === LINE_FEED) {
      if (this.#lineLength === 0) this.#part = 'done'
      this.#lineLength = 0
    } else if (byte !== CARRIAGE_RETURN) this.#lineLength++
  }
}

/** Returns the value of a hexadecimal digit; -1 for any other byte. */
function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
