import { workerData } from 'node:worker_threads'
import { UrlHash } from '../../src/hashing/url-hash.ts'
import { BloomBitArray } from '../../src/seen/bloom/bloom-bit-array.ts'
import { fillPositions, mapToRange } from '../../src/seen/double-hashing.ts'
import { StripeLocks } from '../../src/seen/stripe-locks.ts'
import { generatedUrl } from './urls.ts'

/** The rule by which a thread decides that a URL is new. */
export type Rule =
  | 'exists, then insert'
  | 'any bit flipped'
  | 'probe, then stripe lock'
  | 'one word'

export interface ClaimTask {
  readonly rule: Rule
  readonly owner: number
  readonly urls: number
  readonly bits: number
  readonly hashes: number
  readonly words: SharedArrayBuffer
  readonly counters: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
  /** Two words: the number of threads that are ready, and 1 as soon as they may start. */
  readonly gate: SharedArrayBuffer
  /** For each URL, the number of threads that saw it as new. */
  readonly wins: SharedArrayBuffer
}

/** Each thread visits the URLs within windows of this size in another order. */
const WINDOW = 16
const task: ClaimTask = workerData
const words = new Int32Array(task.words)
const slice = new BloomBitArray(task, words, new Int32Array(task.counters))
const locks = new StripeLocks(task.locks, task.owner)
const hash = new UrlHash([1, 2])
const positions = new Uint32Array(task.hashes)

const RULES: Readonly<Record<Rule, (first: number, second: number) => boolean>> = {
  'exists, then insert': (first, second) => {
    if (slice.has(first, second)) return false
    slice.add(first, second)
    return true
  },
  'any bit flipped': (first, second) => slice.add(first, second),
  'probe, then stripe lock': (first, second) =>
    !slice.has(first, second) && locks.withLock(first, () => slice.add(first, second)),
  'one word': (first, second) => {
    fillPositions(positions, second, Math.imul(first, 0x9e3779b1), 32)
    let mask = 0
    for (const position of positions) mask |= 1 << position
    return (Atomics.or(words, mapToRange(first, words.length), mask) & mask) !== mask
  },
}

const claim = RULES[task.rule]
const wins = new Int32Array(task.wins)
const gate = new Int32Array(task.gate)
Atomics.add(gate, 0, 1)
Atomics.notify(gate, 0)
Atomics.wait(gate, 1, 0)
for (let turn = 0; turn < task.urls; turn++) {
  const offset = turn % WINDOW
  const number = turn - offset + ((offset * (2 * task.owner + 1) + task.owner) % WINDOW)
  hash.of(generatedUrl('in', number))
  if (claim(hash.first, hash.second)) Atomics.add(wins, number, 1)
}
