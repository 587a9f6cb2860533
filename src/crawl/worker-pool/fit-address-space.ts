import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CrawlerError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { collect } from '../../runtime/collect-garbage.ts'
import { addressSpaceInUse, addressSpaceLimit } from '../../runtime/process-limits.ts'
import type { FittedConfig } from './fitted-config.ts'

/** Bytes of addresses for a worker: V8's code, its heap, stacks, and other allocations. */
const WORKER_BYTES = 1.2e9
/** Bytes that the main thread takes later. */
const MAIN_BYTES = 0.4e9
/** Share of the free addresses that is left after the seen sets have reserved room to grow. */
const UNRESERVED = 0.65

/** Number of additional workers: one for a URL that may kill it, and one that is still ending. */
const SPARE_WORKERS = 2

/** V8's limit of a WebAssembly memory, in pages of 64 KiB. Without it, V8 reserves 4 GiB for each memory. */
const WASM_PAGES = '--wasm-max-mem-pages=4096'
const WASM_BYTES = 4096 * 65_536
/** Bytes that are reserved for each memory if V8 checks its bounds by inaccessible addresses around it. */
const GUARDED_BYTES = 8 * 2 ** 30

/**
 * Reduces the number of workers to what a limited address space (`ulimit -v`) allows, and logs a warning. Must be
 * called before anything is reserved.
 * @throws CrawlerError('usage') if there is no room for a single worker
 */
export function fitAddressSpace(config: FittedConfig, logger: Logger): FittedConfig {
  const limit = addressSpaceLimit()
  if (limit === undefined) return config
  setFlagsFromString(WASM_PAGES)
  const taken = addressSpaceInUse()
  const ofModule = bytesOfModule()
  // If there are no addresses for a memory, V8 ends the worker without an error that could be caught.
  const lacksAddresses = ofModule >= GUARDED_BYTES
  const ofWorker = WORKER_BYTES + (lacksAddresses ? 0 : ofModule)
  const room = Math.floor(((limit - taken) * UNRESERVED - MAIN_BYTES) / ofWorker)
  if (room < 1) throw tooSmall(limit, taken + (ofWorker + MAIN_BYTES) / UNRESERVED)
  const hasSpareRoom = room >= config.workers + SPARE_WORKERS
  if (room >= config.workers) return { ...config, lacksAddresses, hasSpareRoom }
  logger.warn(
    { addressSpace: limit, workers: room },
    `The limit of the address space (ulimit -v) is ${gigabytes(limit)}: ${room} of ${config.workers} workers run`,
  )
  return { ...config, workers: room, lacksAddresses, hasSpareRoom }
}

/** Measures how many bytes of addresses a WebAssembly module takes. */
function bytesOfModule(): number {
  const before = addressSpaceInUse()
  try {
    runInNewContext('new WebAssembly.Memory({ initial: 1 }), undefined')
  } catch {
    return GUARDED_BYTES
  }
  const taken = addressSpaceInUse() - before
  collect({ type: 'major' })
  return Math.max(taken, WASM_BYTES)
}

function tooSmall(limit: number, least: number): CrawlerError {
  const expected = `expected at least ${gigabytes(Math.ceil(least / 1e8) * 1e8)}`
  const message = `the limit of the address space (ulimit -v): ${expected} for this crawl, got ${gigabytes(limit)}`
  return new CrawlerError('usage', message)
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}
