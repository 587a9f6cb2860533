import { reserveShared } from '../../src/seen/growable-shared-buffer.ts'

/** A process that prints the size of the memory that it reserved, its maximum, and why it reserved no more. */
const { byteLength, maxByteLength } = reserveShared(4096, 2 ** 47)

function refusal(): string {
  try {
    return String(reserveShared(2 ** 52, 2 ** 52).byteLength)
  } catch (error) {
    return error instanceof Error ? error.name : ''
  }
}

console.log(JSON.stringify({ byteLength, maxByteLength, refusal: refusal() }))
