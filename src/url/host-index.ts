import { fnvHash } from '../hashing/fnv-hash.ts'

/** Hosts in memory that all threads share, so that no thread keeps the strings of a million seeds. */
export interface HostIndexMemory {
  /** The hosts as ASCII, one after another. */
  readonly text: SharedArrayBuffer
  /** The offset in `text` at which each host ends. */
  readonly ends: SharedArrayBuffer
  /** A hash table of the hosts' numbers. Each slot contains the number plus 1, or 0 if it is free. */
  readonly slots: SharedArrayBuffer
}

/** Minimum number of slots per host. */
const SPARSENESS = 2
const WORD_BYTES = 4

/** A map from hosts to numbers. Hosts are canonical names, with or without ports, or any other ASCII texts. */
export class HostIndex {
  readonly #text: Uint8Array
  readonly #ends: Uint32Array
  readonly #slots: Uint32Array

  constructor({ text, ends, slots }: HostIndexMemory) {
    this.#text = new Uint8Array(text)
    this.#ends = new Uint32Array(ends)
    this.#slots = new Uint32Array(slots)
  }

  /** Numbers hosts in the given order, from 0. Repeated hosts are ignored. */
  static allocate(hosts: Iterable<string>): HostIndexMemory {
    const distinct = [...new Set(hosts)]
    const bytes = Buffer.from(distinct.join(''), 'latin1')
    let slots = 1
    while (slots < SPARSENESS * distinct.length) slots *= 2
    const memory = {
      text: new SharedArrayBuffer(bytes.length),
      ends: new SharedArrayBuffer(WORD_BYTES * distinct.length),
      slots: new SharedArrayBuffer(WORD_BYTES * slots),
    }
    new Uint8Array(memory.text).set(bytes)
    new HostIndex(memory).#fill(distinct)
    return memory
  }

  /** The number of hosts. */
  get size(): number {
    return this.#ends.length
  }

  /** Returns the number of a host; undefined if it has none. */
  find(host: string): number | undefined {
    const number = (this.#slots[this.#slotOf(host)] ?? 0) - 1
    return number < 0 ? undefined : number
  }

  /** Returns the host with a number. */
  at(number: number): string {
    return String.fromCharCode(...this.#text.subarray(this.#startOf(number), this.#ends[number]))
  }

  #fill(hosts: readonly string[]): void {
    let end = 0
    for (const [number, host] of hosts.entries()) {
      end += host.length
      this.#ends[number] = end
      this.#slots[this.#slotOf(host)] = number + 1
    }
  }

  /** Returns the slot of a host, or the free slot in which to put it. */
  #slotOf(host: string): number {
    const mask = this.#slots.length - 1
    let slot = hashOf(host) & mask
    for (;;) {
      const number = (this.#slots[slot] ?? 0) - 1
      if (number < 0 || this.#isAt(number, host)) return slot
      slot = (slot + 1) & mask
    }
  }

  #isAt(number: number, host: string): boolean {
    const start = this.#startOf(number)
    if ((this.#ends[number] ?? 0) - start !== host.length) return false
    for (let at = 0; at < host.length; at++) {
      if (this.#text[start + at] !== host.charCodeAt(at)) return false
    }
    return true
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : (this.#ends[number - 1] ?? 0)
  }
}

/** Hashes a host. The hash needs no key: only the user could choose hosts that collide. */
function hashOf(host: string): number {
  const hash = fnvHash(host, 0, host.length)
  return hash ^ (hash >>> 15)
}
