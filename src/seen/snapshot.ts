import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { UrlTableMark } from './disk/url-table.ts'
import type { SeenMemory } from './kinds.ts'
import { markSeenSet, revertSeenSet } from './registry.ts'

/** Bytes that are copied, summed and written at a time. */
const CHUNK = 4 * 2 ** 20
/** Bytes of the header, blanks at its end: a line of JSON. */
const HEADER = 1_024
/** What is of use to the threads of one process only, or on disk anyway. */
const LEFT_OUT: ReadonlySet<string> = new Set(['locks', 'young', 'disk'])

interface Header {
  readonly name: string
  /** Names and lengths of the buffers that follow, in bytes. */
  readonly buffers: readonly (readonly [string, number])[]
  /** Where the URLs stand that are on disk. */
  readonly mark?: UrlTableMark
}

/**
 * Writes the shared memory of a seen set to a file, all or nothing, while others go on adding: what
 * was in when this began is in the file, what came later may be. Of URLs on disk it says how far they
 * count.
 * @returns checksum of the file (CRC-32)
 */
export async function writeSnapshot(memory: SeenMemory, file: string): Promise<number> {
  const draft = `${file}.tmp`
  const handle = await open(draft, 'w')
  try {
    const checksum = await write(memory, handle)
    await handle.sync()
    await rename(draft, file)
    return checksum
  } catch (error) {
    // On a full disk each byte counts.
    await rm(draft, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

async function write(memory: SeenMemory, handle: FileHandle): Promise<number> {
  const mark = markSeenSet(memory)
  const buffers = buffersOf(memory)
  const header: Header = {
    name: memory.name,
    buffers: buffers.map(([name, buffer]) => [name, buffer.byteLength]),
    ...(mark !== undefined && { mark }),
  }
  let checksum = 0
  const append = async (bytes: Buffer) => {
    checksum = crc32(bytes, checksum)
    await handle.writeFile(bytes)
  }
  await append(Buffer.from(JSON.stringify(header).padEnd(HEADER)))
  const copy = Buffer.alloc(CHUNK)
  for (const [index, [, buffer]] of buffers.entries()) {
    const end = header.buffers[index]?.[1] ?? 0
    for (let at = 0; at < end; at += CHUNK) {
      const chunk = copy.subarray(0, Math.min(CHUNK, end - at))
      // A copy first: what is summed must be what is written.
      chunk.set(new Uint8Array(buffer, at, chunk.length))
      await append(chunk)
    }
  }
  return checksum
}

/**
 * Fills the memory of an empty seen set from a snapshot of one with the same options and key.
 * @returns false, and leaves the memory as it was, when the file is gone, damaged or of another kind
 */
export function loadSnapshot(memory: SeenMemory, file: string, checksum: number): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return false
  }
  try {
    const header = verified(descriptor, checksum)
    if (header === undefined || !makeRoom(memory, header)) return false
    if (!revertSeenSet(memory, header.mark)) return false
    let at = HEADER
    for (const [, buffer] of buffersOf(memory)) {
      fill(new Uint8Array(buffer), descriptor, at)
      at += buffer.byteLength
    }
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** A read gives 2 GiB at most. */
function fill(bytes: Uint8Array, descriptor: number, position: number): void {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    readSync(descriptor, bytes, at, Math.min(CHUNK, bytes.length - at), position + at)
  }
}

function verified(descriptor: number, checksum: number): Header | undefined {
  const chunk = Buffer.alloc(CHUNK)
  let header: Header | undefined
  let sum = 0
  for (let at = 0; ; ) {
    const length = readSync(descriptor, chunk, { position: at })
    if (length === 0) break
    const bytes = chunk.subarray(0, length)
    sum = crc32(bytes, sum)
    if (at === 0) header = headerIn(bytes)
    at += length
  }
  return sum === checksum ? header : undefined
}

function headerIn(bytes: Buffer): Header | undefined {
  try {
    return JSON.parse(bytes.toString('latin1', 0, HEADER))
  } catch {
    return undefined
  }
}

/** Grows what has grown before; false when the snapshot is that of another set. */
function makeRoom(memory: SeenMemory, header: Header): boolean {
  const buffers = buffersOf(memory)
  if (memory.name !== header.name || buffers.length !== header.buffers.length) return false
  const sizes = new Map(header.buffers)
  for (const [name, buffer] of buffers) {
    const size = sizes.get(name)
    if (size === undefined) return false
    if (size === buffer.byteLength) continue
    if (!buffer.growable || size < buffer.byteLength || size > buffer.maxByteLength) return false
    buffer.grow(size)
  }
  return true
}

/** Names and buffers in the order of the fields, nested ones as `outer.inner`. */
function buffersOf(memory: object, prefix = ''): [string, SharedArrayBuffer][] {
  return Object.entries(memory).flatMap(([field, value]: [string, unknown]) => {
    const name = prefix + field
    if (LEFT_OUT.has(field) || typeof value !== 'object' || value === null) return []
    return value instanceof SharedArrayBuffer ? [[name, value]] : buffersOf(value, `${name}.`)
  })
}
