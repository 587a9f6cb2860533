import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatCount } from '../../english-text.ts'
import type { SeenOptions } from '../seen-set.ts'
import { makeTemporaryFolder, whyNotTemporary } from './temporary-folder.ts'

/** Name of the database in the directory of `--state`. */
const FILE = 'seen.sqlite'
/** Bytes of an average URL in the table: 100, and a fifth for the tree. */
const ROW_BYTES = 120

/** Memory that all threads share about a table of URLs on disk. */
export interface DiskTableMemory {
  readonly folder: string
  /** True if the table outlives the process. */
  readonly isKept: boolean
  /** Words, with the indexes of `TABLE_SLOT`. */
  readonly words: SharedArrayBuffer
}

/** Slots of a DiskTableMemory. */
export const TABLE_SLOT = {
  /**
   * 1 once the table exists. Until then, the disk contains an earlier process's data, which is
   * ignored.
   */
  isBegun: 0,
  /** Epoch of newly written rows. Rises with each mark. */
  epoch: 1,
  rows: 2,
  /** Number of transactions that have written. */
  writes: 3,
  /** Number of transactions that have removed URLs. */
  removals: 4,
  /** Size of the database, so that statistics can be read without opening it. */
  kibibytes: 5,
} as const

/** Allocates a table in the given directory, or in a temporary folder. */
export function allocateDiskTable({ name, directory }: SeenOptions): DiskTableMemory {
  const words = new SharedArrayBuffer(64)
  new Int32Array(words)[TABLE_SLOT.epoch] = 1
  const folder = directory ?? makeTemporaryFolder(name)
  return { folder, isKept: directory !== undefined, words }
}

export function databaseFile({ folder }: DiskTableMemory): string {
  return join(folder, FILE)
}

/** Returns the disk space of that many URLs of average length, and a refusal if they don't fit. */
export function planDiskTable(
  { name, directory = tmpdir() }: SeenOptions,
  urls: number,
): { diskBytes: number; refusal?: string } {
  const diskBytes = urls * ROW_BYTES
  try {
    return { diskBytes, ...refusalFor(name, directory, urls) }
  } catch (error) {
    return { diskBytes, refusal: whyNotTemporary(name, directory, error) }
  }
}

function refusalFor(name: string, directory: string, urls: number): { refusal?: string } {
  // The table of a resumed crawl already has a part of its space.
  if (existsSync(join(directory, FILE))) return {}
  const most = Math.floor(freeBytes(directory) / ROW_BYTES)
  if (urls <= most) return {}
  const refusal =
    `${formatCount(urls)} URLs of 100 bytes don't fit on the disk of ${directory} with ` +
    `--seen ${name}: at most ${formatCount(most)} do.`
  return { refusal }
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
