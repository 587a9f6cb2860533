import { formatSeconds } from '../../english-text.ts'
import { ProtocolError } from './pipe-connection.ts'

/**
 * Resolves as a promise does, if that takes at most `ms` milliseconds.
 * @throws ProtocolError if it takes longer
 */
export async function withDeadline<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const message = `the browser did not answer within ${formatSeconds(ms)}`
  const timer = setTimeout(() => reject(new ProtocolError(message)), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
