import { randomFillSync } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The device of Linux and other systems whose random bytes are good enough for keys. */
const DEVICE = '/dev/urandom'

/**
 * Returns random 32-bit words that no site can guess. They come from the device if there is one: loading Node's crypto
 * takes a fortieth of the time of a small crawl.
 */
export function randomWords(count: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(count)
  return fillFromDevice(words) ? words : randomFillSync(words)
}

/** Fills the words from the device. Returns false if there is none. */
function fillFromDevice(words: Uint32Array): boolean {
  try {
    const device = openSync(DEVICE, 'r')
    try {
      const isDevice = fstatSync(device).isCharacterDevice()
      return isDevice && readSync(device, words) === words.byteLength
    } finally {
      closeSync(device)
    }
  } catch {
    return false
  }
}
