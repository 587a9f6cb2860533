import { nameOfSource, type TextSource } from '../compressed-files/open-text.ts'
import { CrawlerError } from '../errors.ts'
import { isObject, readLines } from './read-json-lines.ts'

/** State of a crawl at one moment, from a line of its log. crawl/stats/progress-log.ts writes these lines. */
export interface LogSample {
  /** Milliseconds since the start of the crawl. */
  readonly elapsedMs: number
  /** Records written so far. */
  readonly visits: number
  /** Number of waiting URLs. */
  readonly queued: number
  /** Peak memory of the process since the previous sample, in bytes. */
  readonly rss: number
  /** Memory of the seen set, in bytes. */
  readonly seenBytes: number
  /** Probability that a new URL is taken for a known one. */
  readonly falsePositiveRate: number
}

/** Maximum number of samples; beyond it, neighbors are merged. */
const MAX_SAMPLES = 240

/**
 * Returns samples of a crawl over time from its log. Other log lines are ignored. If a log
 * continues after a crash, or contains several crawls, the last one counts.
 * @throws CrawlerError('usage') when the file can't be read, or contains no sample
 */
export async function readLog(file: TextSource): Promise<LogSample[]> {
  let samples: LogSample[] = []
  for await (const value of readLines(file, { name: 'log lines', problemIn: () => undefined })) {
    const sample = sampleOf(value)
    if (sample === undefined) continue
    append(samples, sample)
    if (samples.length > MAX_SAMPLES) samples = mergePairs(samples)
  }
  if (samples.length > 0) return samples
  const expected = 'expected the log of a crawl, JSON lines with `elapsedMs`, `visits` and `rss`'
  throw new CrawlerError('usage', `${nameOfSource(file)}: ${expected}, got none`)
}

function sampleOf(value: unknown): LogSample | undefined {
  if (!isObject(value) || !isObject(value['seen'])) return undefined
  const { elapsedMs, visits, queued, rss, seen } = value
  const { bytes, falsePositiveRate } = seen as Record<string, unknown>
  const sample = { elapsedMs, visits, queued, rss, seenBytes: bytes, falsePositiveRate }
  const isAmount = (each: unknown) => typeof each === 'number' && Number.isFinite(each) && each >= 0
  return Object.values(sample).every(isAmount) ? (sample as LogSample) : undefined
}

function append(samples: LogSample[], sample: LogSample): void {
  // Both only grow in a crawl. A smaller value means that an earlier state was resumed, or that another crawl began.
  const precedes = ({ elapsedMs, visits }: LogSample) =>
    elapsedMs < sample.elapsedMs && visits <= sample.visits
  samples.length = samples.findLastIndex(precedes) + 1
  const [before, last] = samples.slice(-2)
  const isSoon =
    before !== undefined &&
    last !== undefined &&
    sample.elapsedMs - last.elapsedMs < (last.elapsedMs - before.elapsedMs) / 2
  // The last line is written when the crawl ends, perhaps just after another one. A rate over a short time is useless.
  if (isSoon) samples.pop()
  samples.push(isSoon ? merge(last, sample) : sample)
}

function mergePairs(samples: readonly LogSample[]): LogSample[] {
  const pairs = samples.map((sample, at) => [sample, samples[at + 1] ?? sample] as const)
  return pairs.filter((_, at) => at % 2 === 0).map(([first, second]) => merge(first, second))
}

function merge(first: LogSample, second: LogSample): LogSample {
  return { ...second, rss: Math.max(first.rss, second.rss) }
}
