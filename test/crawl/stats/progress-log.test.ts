import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ProgressLog } from '../../../src/crawl/stats/progress-log.ts'
import { createJsonLogger } from '../../../src/logger.ts'
import { summarySample } from '../../cli/terminal/sample.ts'

/** Returns the last message of the log of a crawl. */
function lastMessage(frontier: readonly unknown[]): string {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const rate = { falsePositiveRate: 0.001, frontier, seeds: [] }
  const config = { seen: 'digest', logInterval: 1_000, ...rate } as const
  const seen = { added: 9, bytes: 64, fill: 0.5, falsePositiveRate: 0, expectedLost: 0 }
  const log = new ProgressLog(createJsonLogger('info', stream), config, () => summarySample())
  log.end(summarySample({ seen }))
  return JSON.parse(lines.at(-1) ?? '').msg
}

describe('ProgressLog', () => {
  it('reports how many URLs the seen set missed', () => {
    expect(lastMessage([])).toMatch(/50 % of the seen set taken, .* probably no URL missed$/)
  })

  it('reports no missed URLs of a job, whose seen set is in Redis', () => {
    expect(lastMessage(['redis://127.0.0.1'])).toMatch(/50 % of the seen set taken$/)
  })
})
