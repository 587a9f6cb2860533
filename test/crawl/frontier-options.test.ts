import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { frontierOptions } from '../../src/crawl/frontier-options.ts'
import { TUNING } from '../../src/crawl/tuning.ts'

/** Returns how many URLs of a host may wait in workers. */
function queuedPerHost(config: ConfigInput): number | undefined {
  return frontierOptions(resolveConfig(config), TUNING, undefined).queuedPerHost
}

const BOUND_BY_WORKERS = { workers: 2, concurrency: 2, perHost: 4 } as const

it('URLs may wait in workers if those have at most --per-host requests in flight', () => {
  expect(queuedPerHost(BOUND_BY_WORKERS)).toBe(2)
  expect(queuedPerHost({ ...BOUND_BY_WORKERS, perHost: 64 })).toBe(32)
  expect(queuedPerHost({ ...BOUND_BY_WORKERS, perHost: 3 })).toBe(0)
})

it.each<ConfigInput>([
  { delay: '1s' },
  { adaptive: true },
  { perIp: true },
  { deterministic: true },
  { render: 'always' },
  { login: 'login.json' },
  { frontier: ['redis://localhost'], job: 'a' },
])('no URLs wait in workers with %j', (more) => {
  expect(queuedPerHost({ ...BOUND_BY_WORKERS, ...more })).toBe(0)
})
