import { table } from '../report/readme.ts'
import { PAIRS, type SourceFilter } from './sources.ts'
import { generatedUrl } from './urls.ts'

const COUNTS = [10_000, 100_000, 1_000_000, 4_000_000]
const PROBES = 20_000
const STEP = 1.5
/** Shares of lost new URLs that count as failure. */
const LIMITS = [0.001, 0.01]

interface Measured {
  readonly filter: SourceFilter
  /** False-positive rates, by the number of URLs in `COUNTS`. */
  readonly rates: readonly number[]
  /** Number of URLs at which each limit was exceeded. */
  readonly capacities: readonly (number | undefined)[]
}

function measure(make: () => SourceFilter): Measured {
  const filter = make()
  const rates = new Map<number, number>()
  const capacities: (number | undefined)[] = LIMITS.map(() => undefined)
  const steps = new Set(COUNTS)
  for (let count = 1_000; count < (COUNTS.at(-1) ?? 0); count *= STEP) steps.add(Math.round(count))
  let added = 0
  for (const count of [...steps].toSorted((a, b) => a - b)) {
    while (added < count) filter.add(generatedUrl('in', added++))
    const rate = strangers(filter)
    rates.set(count, rate)
    for (const [place, limit] of LIMITS.entries()) {
      if (rate > limit) capacities[place] ??= count
    }
  }
  return { filter, capacities, rates: COUNTS.map((count) => rates.get(count) ?? Number.NaN) }
}

function strangers(filter: SourceFilter): number {
  let mistaken = 0
  for (let probe = 0; probe < PROBES; probe++) {
    if (filter.has(generatedUrl('out', probe))) mistaken++
  }
  return mistaken / PROBES
}

/** Measures the number of URLs that the filters of articles can take, and compares it with ours of the same size. */
export function capacities(): string {
  const rows = PAIRS.map(measure).map(({ filter, rates, capacities: found }) => [
    filter.name,
    ...rates.map((rate) => `${Number((rate * 100).toPrecision(2))} %`),
    ...found.map((count) => (count === undefined ? 'not by then' : count.toLocaleString('en'))),
  ])
  const counts = COUNTS.map((count) => `lost at ${count.toLocaleString('en')}`)
  const limits = LIMITS.map((limit) => `more than ${limit * 100} % from`)
  return table(['filter', ...counts, ...limits], rows)
}
