import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve-config.ts'
import { fitOpenFiles } from '../../../src/crawl/worker-pool/fit-open-files.ts'
import { silentLogger } from '../../../src/logger.ts'

const config = resolveConfig({ seeds: ['https://a.example/'], workers: 4, concurrency: 16 })
const fitTo = (limit: number, of = config) => fitOpenFiles(of, silentLogger(), { limit, open: 20 })

describe('fitting a crawl to the limit of open files', () => {
  it('changes nothing if the limit is high enough, and limits connections', () => {
    expect(fitTo(1_024)).toEqual({ ...config, maxSockets: 239 })
  })

  it('reduces requests in flight before workers', () => {
    expect(fitTo(100)).toMatchObject({ workers: 4, concurrency: 8, maxSockets: 8 })
    expect(fitTo(64)).toMatchObject({ workers: 2, concurrency: 8, maxSockets: 8 })
    expect(fitTo(40)).toMatchObject({ workers: 1, concurrency: 1, maxSockets: 1 })
  })

  it('never raises a setting', () => {
    const small = { ...config, workers: 2, concurrency: 1 }
    expect(fitTo(52, small)).toMatchObject({ workers: 2, concurrency: 1, maxSockets: 2 })
  })

  it('reserves files for a seen set on disk', () => {
    expect(fitTo(64, { ...config, seen: 'hybrid' })).toMatchObject({ workers: 2, concurrency: 5 })
  })

  it('refuses a limit that is too low for a single request', () => {
    expect(() => fitTo(39)).toThrow('expected at least 40 for this crawl, got 39')
  })
})
