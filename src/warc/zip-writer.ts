import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** A file in a ZIP archive. */
export interface ZipEntry {
  readonly path: string
  /** Position of its header in the archive. */
  readonly offset: number
  readonly bytes: number
  readonly crc: number
  /** SHA-256, in hexadecimal. */
  readonly sha256: string
}

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Version of the specification that readers need: 4.5, for sizes of 64 bits. */
const VERSION = 45
/** Flags of an entry: sizes and checksum follow its content (bit 3), and its path is UTF-8 (bit 11). */
const FLAGS = 0x0808
const STORED = 0
/** Time and date: January 1, 1980, as in other archives without dates. */
const DATE = [0, 0x21] as const
const IN_ZIP64 = 0xffff_ffff
const ZIP64_FIELD = 0x0001

/**
 * Writes a ZIP archive from its first byte to its last (APPNOTE.TXT 6.3.10). Its files are stored without compression,
 * so that a reader may take parts of them. All sizes have 64 bits, since those of the first file are known only at
 * its end.
 */
export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  readonly #entries: ZipEntry[] = []
  #position = 0

  constructor(write: (bytes: Uint8Array) => Promise<void>) {
    this.#write = write
  }

  get entries(): readonly ZipEntry[] {
    return this.#entries
  }

  /** Ends a file whose header and content are in the archive already. @param content read back from it */
  async endWritten(path: string, content: Bytes): Promise<void> {
    await this.#end(path, content, async () => {})
  }

  async add(path: string, content: Bytes): Promise<void> {
    await this.#write(zipHeader(path))
    await this.#end(path, content, this.#write)
  }

  /** Writes the list of files, which is the end of the archive. */
  async finish(): Promise<void> {
    const list = Buffer.concat(this.#entries.map(listItem))
    await this.#write(
      Buffer.concat([list, endOf(this.#entries.length, this.#position, list.length)]),
    )
  }

  async #end(path: string, content: Bytes, use: (bytes: Uint8Array) => Promise<void>) {
    const hash = createHash('sha256')
    let crc = 0
    let bytes = 0
    for await (const piece of content) {
      hash.update(piece)
      crc = crc32(piece, crc)
      bytes += piece.length
      await use(piece)
    }
    const entry = { path, offset: this.#position, bytes, crc, sha256: hash.digest('hex') }
    await this.#write(descriptorOf(entry))
    this.#entries.push(entry)
    this.#position += zipHeader(path).length + bytes + descriptorOf(entry).length
  }
}

/** Returns the header of a file (4.3.7). Its checksum and its sizes follow the content. */
export function zipHeader(path: string): Buffer {
  const name = Buffer.from(path)
  const about = [u32(0x0403_4b50), u16(VERSION, FLAGS, STORED, ...DATE), u32(0, IN_ZIP64, IN_ZIP64)]
  const sizes = [u16(ZIP64_FIELD, 16), u64(0, 0)]
  return Buffer.concat([...about, u16(name.length, 20), name, ...sizes])
}

/** Returns what follows the content of a file (4.3.9). */
function descriptorOf({ crc, bytes }: ZipEntry): Buffer {
  return Buffer.concat([u32(0x0807_4b50, crc), u64(bytes, bytes)])
}

/** Returns the item of a file in the list at the end (4.3.12). */
function listItem({ path, offset, bytes, crc }: ZipEntry): Buffer {
  const name = Buffer.from(path)
  const about = [u32(0x0201_4b50), u16(VERSION, VERSION, FLAGS, STORED, ...DATE)]
  const lengths = [u32(crc, IN_ZIP64, IN_ZIP64), u16(name.length, 28, 0, 0, 0), u32(0, IN_ZIP64)]
  const sizes = [u16(ZIP64_FIELD, 24), u64(bytes, bytes, offset)]
  return Buffer.concat([...about, ...lengths, name, ...sizes])
}

/** Returns the end of an archive, with the place of the list (4.3.14 to 4.3.16). */
function endOf(files: number, start: number, bytes: number): Buffer {
  return Buffer.concat([
    ...[u32(0x0606_4b50), u64(44), u16(VERSION, VERSION), u32(0, 0)],
    u64(files, files, bytes, start),
    ...[u32(0x0706_4b50, 0), u64(start + bytes), u32(1)],
    ...[u32(0x0605_4b50), u16(0, 0, files, files), u32(bytes, IN_ZIP64), u16(0)],
  ])
}

function u16(...values: readonly number[]): Buffer {
  return littleEndian(2, values)
}

function u32(...values: readonly number[]): Buffer {
  return littleEndian(4, values)
}

function u64(...values: readonly number[]): Buffer {
  return littleEndian(8, values)
}

/** Returns numbers of this many bytes, the least significant byte first. */
function littleEndian(bytes: 2 | 4 | 8, values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const field = Buffer.alloc(8)
      field.writeBigUInt64LE(BigInt(value))
      return field.subarray(0, bytes)
    }),
  )
}
