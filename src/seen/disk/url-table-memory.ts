import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SeenOptions } from '../seen-set.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/** Name of the database in the directory of `--state`. */
const FILE = 'seen.sqlite'
/** What a URL of average length takes in the table, in bytes: 100, and a fifth for the tree. */
const ROW_BYTES = 120

/** What all threads know of a table of URLs on disk. */
export interface UrlTableMemory {
  readonly folder: string
  /** Whether it outlives the process. */
  readonly isKept: boolean
  /** By `TABLE_SLOT`. */
  readonly words: SharedArrayBuffer
}

/** Slots of a UrlTableMemory. */
export const TABLE_SLOT = {
  /** 1 once the table is there; until then, what is on disk is of an earlier process and doesn't count. */
  isBegun: 0,
  /** Of the rows that are written now. Rises with each mark. */
  epoch: 1,
  rows: 2,
  /** Transactions that have written. */
  writes: 3,
  /** Transactions that have removed something. */
  removals: 4,
  /** Size of the database: whoever only wants statistics need not open it. */
  kibibytes: 5,
} as const

/** In the given directory, or where it goes with the process. */
export function allocateUrlTable({ directory }: SeenOptions): UrlTableMemory {
  const words = new SharedArrayBuffer(64)
  new Int32Array(words)[TABLE_SLOT.epoch] = 1
  const folder = directory ?? makeTemporaryFolder()
  return { folder, isKept: directory !== undefined, words }
}

export function fileOf({ folder }: UrlTableMemory): string {
  return join(folder, FILE)
}

/** What so many URLs of average length take on disk, and why they can't, if so. */
export function planUrlTable(
  { name, directory = tmpdir() }: SeenOptions,
  urls: number,
): { diskBytes: number; refusal?: string } {
  const diskBytes = urls * ROW_BYTES
  const free = freeBytes(directory)
  if (diskBytes <= free) return { diskBytes }
  const most = Math.floor(free / ROW_BYTES).toLocaleString('en')
  const refusal =
    `${urls.toLocaleString('en')} URLs of 100 bytes don't fit on the disk of ${directory} with ` +
    `--seen ${name}: at most ${most} do.`
  return { diskBytes, refusal }
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}
