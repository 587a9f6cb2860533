import { serialize } from 'node:v8'
import { expect, it } from 'vitest'
import { localConfig } from '../../../src/cluster/local-config.ts'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import { CrawlScope } from '../../../src/crawl/seeds/crawl-scope.ts'
import { SeedTracker } from '../../../src/crawl/seeds/seed-tracker.ts'
import { buildWorkerSetup } from '../../../src/crawl/worker-pool/build-worker-setup.ts'
import { connectionSetup } from '../../../src/crawl/worker-pool/connection-setup.ts'
import { SharedMemory } from '../../../src/crawl/worker-pool/shared-memory.ts'
import { parseSeed } from '../../../src/url/seed.ts'

function setupOf(seeds: readonly string[], headers = {}) {
  const config = localConfig(resolveConfig({ seeds: [...seeds], headers, workers: 1 }))
  const tracker = new SeedTracker(seeds.map(parseSeed), true)
  const memory = new SharedMemory(config, [1, 2])
  const setup = buildWorkerSetup({
    ...{ config, memory, seeds: tracker, scope: new CrawlScope(config, tracker.urls) },
    ...{ connection: connectionSetup(config), cookies: undefined, login: undefined },
    ...{ decisions: undefined, linkGraph: undefined, bodies: undefined, directory: undefined },
  })
  memory.close()
  return setup
}

/**
 * Returns the number of bytes that are copied for a worker, without shared memory and without a key whose digits vary.
 */
function copiedBytes(setup: object): number {
  const plain = JSON.parse(JSON.stringify({ ...setup, scannerKey: undefined }))
  return serialize(plain).length
}

it('no seeds are copied to workers, in any number', () => {
  const many = Array.from({ length: 2_000 }, (_, host) => `https://www.host-${host}.test/`)
  expect(copiedBytes(setupOf(many))).toBe(copiedBytes(setupOf(many.slice(0, 1))))
})

it('workers that send user-defined headers get the origins of seeds', () => {
  const { headerOrigins } = setupOf(['https://a.test/'], { 'x-key': 'value' })
  expect(headerOrigins).toEqual(['https://a.test'])
})
