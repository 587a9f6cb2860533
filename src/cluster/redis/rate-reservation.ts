import { DamageError } from '../../errors.ts'
import type { RateDemand, RateReservation } from '../job-queue.ts'
import { jobKey } from './keys.ts'
import type { RetryingClient } from './retrying-client.ts'
import { reserveScript } from './scripts.ts'

/** Maximum milliseconds for which permits are reserved ahead. If a process dies, its reserved permits are lost. */
const AHEAD_MS = 300

/** Reserves permits of rates of a job. */
export async function reservePermits(
  server: RetryingClient,
  job: string,
  demands: readonly RateDemand[],
): Promise<RateReservation> {
  const keys = [jobKey(job), ...demands.map(({ name }) => jobKey(job, `rate:${name}`))]
  const rows = demands.flatMap(({ perSecond, needed, wanted }) => [1e6 / perSecond, needed, wanted])
  const args = [AHEAD_MS * 1_000, ...rows].map(String)
  const reply = await server.evaluate(reserveScript(), keys, args)
  const numbers = Array.isArray(reply) ? reply.map(Number) : []
  if (numbers.length <= 2 * demands.length || !numbers.every(Number.isSafeInteger)) {
    throw new DamageError('its rates: expected whole numbers')
  }
  const [now = 0, ...granted] = numbers
  const grants = demands.map((_, place) => ({
    delay: (granted[2 * place] ?? 0) / 1_000,
    count: granted[2 * place + 1] ?? 0,
  }))
  return { now: now / 1_000, grants }
}
