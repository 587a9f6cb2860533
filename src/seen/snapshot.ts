import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { DiskMark } from './disk/disk-url-table.ts'
import { markSeenSet, revertSeenSet } from './seen-set-lifecycle.ts'
import type { SeenMemory } from './strategies.ts'

/** Bytes that are copied, added to the checksum and written at a time. */
const CHUNK_BYTES = 4 * 2 ** 20
/** Bytes of the table of contents at the end of the file: a line of JSON, padded with blanks. */
const CONTENTS_BYTES = 1_024
/** Fields that only threads of one process need, or whose content is on disk anyway. */
const LEFT_OUT_FIELDS: ReadonlySet<string> = new Set(['locks', 'pending', 'disk'])

interface Contents {
  readonly name: string
  /** Names and lengths of the preceding buffers, in bytes. */
  readonly buffers: readonly (readonly [string, number])[]
  /** State of the URLs on disk. */
  readonly mark?: DiskMark
}

/**
 * Writes the shared memory of a seen set to a file atomically while other threads keep adding. The
 * file contains every URL that was in the set at the start, and perhaps later ones. For URLs on
 * disk, it contains a mark.
 * @returns checksum of the file (CRC-32)
 */
export async function writeSnapshot(memory: SeenMemory, file: string): Promise<number> {
  const draft = `${file}.tmp`
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  try {
    const checksum = await write(memory, handle)
    await handle.sync()
    await rename(draft, file)
    return checksum
  } catch (error) {
    // The disk may be full, so the draft is removed.
    await rm(draft, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function write(memory: SeenMemory, handle: FileHandle): Promise<number> {
  const mark = markSeenSet(memory)
  const buffers: [string, number][] = []
  let checksum = 0
  const append = async (bytes: Buffer) => {
    checksum = crc32(bytes, checksum)
    await handle.writeFile(bytes)
  }
  const copy = Buffer.alloc(CHUNK_BYTES)
  for (const [name, buffer] of buffersOf(memory)) {
    // Its current length covers everything that the buffers before it refer to.
    const end = buffer.byteLength
    buffers.push([name, end])
    for (let at = 0; at < end; at += CHUNK_BYTES) {
      const chunk = copy.subarray(0, Math.min(CHUNK_BYTES, end - at))
      // Copy first: the checksum must match the written bytes.
      chunk.set(new Uint8Array(buffer, at, chunk.length))
      await append(chunk)
    }
  }
  const contents: Contents = { name: memory.name, buffers, ...(mark !== undefined && { mark }) }
  await append(Buffer.from(JSON.stringify(contents).padEnd(CONTENTS_BYTES)))
  return checksum
}

/**
 * Fills the memory of an empty seen set from a snapshot of one with the same options and key.
 * @returns false, and leaves the set empty, if the file is missing, damaged or of another kind
 */
export function loadSnapshot(memory: SeenMemory, file: string, checksum: number): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return false
  }
  try {
    const contents = readVerified(descriptor, checksum)
    if (contents === undefined || !makeRoom(memory, contents)) return false
    if (!revertSeenSet(memory, contents.mark)) return false
    let at = 0
    for (const [, buffer] of buffersOf(memory)) {
      fill(new Uint8Array(buffer), descriptor, at)
      at += buffer.byteLength
    }
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** Fills `bytes` from the file. It reads in chunks, because one read returns at most 2 GiB. */
function fill(bytes: Uint8Array, descriptor: number, position: number): void {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    readSync(descriptor, bytes, at, Math.min(CHUNK_BYTES, bytes.length - at), position + at)
  }
}

function readVerified(descriptor: number, checksum: number): Contents | undefined {
  const chunk = Buffer.alloc(CHUNK_BYTES)
  let sum = 0
  let end = 0
  for (;;) {
    const length = readSync(descriptor, chunk, { position: end })
    if (length === 0) break
    sum = crc32(chunk.subarray(0, length), sum)
    end += length
  }
  return sum === checksum && end >= CONTENTS_BYTES
    ? contentsAt(descriptor, end - CONTENTS_BYTES)
    : undefined
}

function contentsAt(descriptor: number, position: number): Contents | undefined {
  const bytes = Buffer.alloc(CONTENTS_BYTES)
  readSync(descriptor, bytes, { position })
  try {
    return JSON.parse(bytes.toString('latin1'))
  } catch {
    return undefined
  }
}

/** Grows buffers to the lengths in the snapshot; false when it belongs to another set. */
function makeRoom(memory: SeenMemory, contents: Contents): boolean {
  const buffers = buffersOf(memory)
  if (memory.name !== contents.name || buffers.length !== contents.buffers.length) return false
  const sizes = new Map(contents.buffers)
  for (const [name, buffer] of buffers) {
    const size = sizes.get(name)
    if (size === undefined) return false
    if (size === buffer.byteLength) continue
    if (!buffer.growable || size < buffer.byteLength || size > buffer.maxByteLength) return false
    buffer.grow(size)
  }
  return true
}

/**
 * Returns names and buffers in the order of the fields. A buffer refers only to later ones. The
 * names of nested ones have the form `outer.inner`.
 */
function buffersOf(memory: object, prefix = ''): [string, SharedArrayBuffer][] {
  return Object.entries(memory).flatMap(([field, value]: [string, unknown]) => {
    const name = prefix + field
    if (LEFT_OUT_FIELDS.has(field) || typeof value !== 'object' || value === null) return []
    return value instanceof SharedArrayBuffer ? [[name, value]] : buffersOf(value, `${name}.`)
  })
}
