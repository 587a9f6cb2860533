import { describe, expect, it } from 'vitest'
import { hashHost } from '../../../src/crawl/worker-pool/worker-choice.ts'

describe('hashHost', () => {
  it('depends only on the host and the port', () => {
    const hash = hashHost('http://a.test:8080/')
    expect(hashHost('https://a.test:8080/other/page?query')).toBe(hash)
    expect(hashHost('http://a.test/')).not.toBe(hash)
    expect(hashHost('http://b.test:8080/')).not.toBe(hash)
  })

  it.each([2, 3, 8])('spreads the hosts of %d workers evenly', (workers) => {
    const counts = new Array<number>(workers).fill(0)
    for (let host = 0; host < 2_000; host++) {
      const worker = hashHost(`http://127.2.${host >> 8}.${host & 255}:8200/`) % workers
      counts[worker] = (counts[worker] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 2_000 / workers)).toBeLessThan(150)
  })
})
