import { expect, it } from 'vitest'
import { localConfig } from '../../src/cluster/local-config.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { planSeenSet } from '../../src/seen/seen-set-lifecycle.ts'

it('a process of a job of any size has room for its own set, even on a small machine', () => {
  const job = { frontier: ['redis://a.test'], job: 'web', expectedUrls: 40_000_000_000 }
  const { digest, expectedUrls, falsePositiveRate, seen: name } = localConfig(resolveConfig(job))
  const options = { name, digest, expectedUrls, falsePositiveRate, forgetAfter: 1 }
  expect(planSeenSet(options, expectedUrls, 2 ** 30).refusal).toBeUndefined()
})
