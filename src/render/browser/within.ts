import { ProtocolError } from './pipe-connection.ts'

/**
 * Resolves as a promise does, if that takes at most `ms` milliseconds.
 * @throws ProtocolError if it takes longer
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
