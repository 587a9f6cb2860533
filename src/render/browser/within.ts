import { ProtocolError } from './pipe-connection.ts'

/**
 * Returns what a promise resolves with.
 * @throws ProtocolError if that takes longer
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ProtocolError('the browser does not answer')), ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
