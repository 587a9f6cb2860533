import { randomFillSync } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where Linux and others have random bytes of the quality that keys need. */
const DEVICE = '/dev/urandom'

/** Returns random words of 32 bits that no site can guess. Loading Node's crypto for them is a fortieth of a small crawl. */
export function randomWords(count: number): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(count)
  return fillFromDevice(words) ? words : randomFillSync(words)
}

/** Returns whether there is such a device. */
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
