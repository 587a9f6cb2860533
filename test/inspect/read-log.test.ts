import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readLog } from '../../src/inspect/read-log.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

/** Returns a log line of a crawl that visits ten pages a second. */
function lineAt(elapsedMs: number, rss = 1_000): object {
  const seen = { bytes: 64, fill: 0.1, falsePositiveRate: 1e-3 }
  return { level: 30, elapsedMs, visits: elapsedMs / 100, queued: 3, rss, seen, msg: 'Crawl' }
}

async function read(lines: readonly (object | string)[]) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(path('crawl.log'), `${texts.join('\n')}\n`)
  return readLog(path('crawl.log'))
}

const timesOf = (samples: readonly { elapsedMs: number }[]) =>
  samples.map(({ elapsedMs }) => elapsedMs)

it('a log is read from lines about the crawl, and all other lines are ignored', async () => {
  const worker = { worker: 1, elapsedMs: 500, setSize: 3, fetched: 2, failed: 0, inFlight: 1 }
  const odd = { ...lineAt(700), rss: '5' }
  const samples = await read(['crawl: a text', worker, lineAt(1_000), odd, lineAt(2_000), '{"x'])
  expect(samples).toEqual(
    [1_000, 2_000].map((elapsedMs) => ({
      ...{ elapsedMs, visits: elapsedMs / 100, queued: 3, rss: 1_000 },
      ...{ seenBytes: 64, falsePositiveRate: 1e-3 },
    })),
  )
})

it("a log drops lines after the point where a killed crawl resumed, and has its file's last crawl", async () => {
  const resumed = await read([1_000, 2_000, 3_000, 2_500, 3_500].map((ms) => lineAt(ms)))
  expect(timesOf(resumed)).toEqual([1_000, 2_000, 2_500, 3_500])
  const another = await read([1_000, 2_000, 900, 1_800].map((ms) => lineAt(ms)))
  expect(timesOf(another)).toEqual([900, 1_800])
})

it('a log drops a first crawl that had visited more at its first sample, even if it began sooner', async () => {
  const first = [5_001, 10_001].map((ms) => ({ ...lineAt(ms), visits: ms / 5 }))
  const second = [5_003, 10_003].map((ms) => lineAt(ms))
  const samples = await read([...first, ...second])
  expect(samples.map(({ elapsedMs, visits }) => [elapsedMs, visits])).toEqual([
    [5_003, 50.03],
    [10_003, 100.03],
  ])
})

it('the last line of a log is merged with one just before it', async () => {
  const samples = await read([lineAt(1_000), lineAt(2_000, 9_000), lineAt(2_010)])
  expect(samples.map(({ elapsedMs, rss }) => [elapsedMs, rss])).toEqual([
    [1_000, 1_000],
    [2_010, 9_000],
  ])
})

it('a log of any length is reduced, with its end and its peaks', async () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => lineAt((at + 1) * 1_000))
  lines[4_321] = lineAt(4_322_000, 77_777)
  const samples = await read(lines)
  expect(samples.length).toBeGreaterThan(100)
  expect(samples.length).toBeLessThanOrEqual(240)
  expect(samples.at(-1)).toMatchObject({ elapsedMs: 10_000_000, visits: 100_000 })
  expect(Math.max(...samples.map(({ rss }) => rss))).toBe(77_777)
})

it('a file that is not a log is reported', async () => {
  const problem = 'expected the log of a crawl, JSON lines with `elapsedMs`, `visits` and `rss`'
  await expect(read(['words'])).rejects.toThrow(`${path('crawl.log')}: ${problem}, got none`)
})
