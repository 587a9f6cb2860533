import { DamageError } from '../../errors.ts'
import type { RateDemand, RateGrant } from '../job-queue.ts'
import { jobKey } from './keys.ts'
import type { RetryingClient } from './retrying-client.ts'
import { reserveScript } from './scripts.ts'

/** Milliseconds for which permits are reserved ahead; those that a dead process has reserved are lost. */
const AHEAD_MS = 200
/** Milliseconds for which a rate that is not used is kept. */
const KEPT_MS = 10_000

/** Reserves permits of rates of a job. Returns those of each rate. */
export async function reservePermits(
  server: RetryingClient,
  job: string,
  demands: readonly RateDemand[],
): Promise<RateGrant[]> {
  const keys = demands.map(({ name }) => jobKey(job, `rate:${name}`))
  const rows = demands.flatMap(({ perSecond, needed, wanted }) => [1e6 / perSecond, needed, wanted])
  const longest = Math.max(...demands.map(({ perSecond }) => 1_000 / perSecond))
  const args = [AHEAD_MS * 1_000, Math.ceil(longest) + KEPT_MS, ...rows].map(String)
  const reply = await server.evaluate(reserveScript(), keys, args)
  return demands.map((_, place) => grantIn(reply, 2 * place))
}

function grantIn(reply: unknown, at: number): RateGrant {
  const [delay, count] = (Array.isArray(reply) ? reply.slice(at, at + 2) : []).map(Number)
  if (delay === undefined || !Number.isSafeInteger(delay) || !Number.isSafeInteger(count)) {
    throw new DamageError('its rates: expected two numbers')
  }
  return { delay: delay / 1_000, count: count ?? 0 }
}
