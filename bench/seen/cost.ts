import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SEEN_SET_NAMES, type SeenName } from '../../src/seen/seen-set.ts'
import { table } from '../report/readme.ts'

const RATE = 0.001
/**
 * Number of generated URLs. It is a tenth for strategies that keep whole URLs, since the disk is slow, and `exact` is
 * limited to 4 GiB.
 */
const URLS: Readonly<Record<SeenName, number>> = {
  'bloom-growing': 1e8,
  bloom: 1e8,
  'bloom-counting': 1e8,
  'bloom-aging': 1e8,
  digest: 1e8,
  exact: 1e7,
  sqlite: 1e7,
  hybrid: 1e7,
}
const KEPT = new URL('./costs.jsonl', import.meta.url)
const CHILD = fileURLToPath(new URL('./cost-child.ts', import.meta.url))

/** The memory of a strategy, and the URLs that it lost. */
interface Cost {
  readonly seen: SeenName
  readonly source: 'generated' | 'real'
  readonly day: string
  readonly urls: number
  readonly bytes: number
  readonly planned: number
  /** The growth of the process's resident memory. */
  readonly resident: number
  readonly diskBytes?: number
  readonly lost: number
  /** The measured false-positive rate. */
  readonly measured: number
}

/** The strategies and URLs to measure again. */
export interface CostTask {
  readonly names: readonly string[]
  /** Maximum number of generated URLs. */
  readonly most: number
  /** The folder of real URLs. */
  readonly real?: string | undefined
}

/** Measures the costs of strategies. Returns a table of all costs; those not measured again are unchanged. */
export async function costs({ names, most, real }: CostTask): Promise<string> {
  for (const seen of SEEN_SET_NAMES.filter((name) => names.includes(name))) {
    if (most > 0) keep(await measure(seen, 'generated', [String(Math.min(URLS[seen], most))]))
    if (real !== undefined) keep(await measure(seen, 'real', ['0', real]))
  }
  return shown()
}

async function measure(seen: SeenName, source: Cost['source'], [urls = '', ...folder]: string[]) {
  const args = ['--expose-gc', CHILD, seen, urls, String(RATE), ...folder]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const day = new Date().toISOString().slice(0, 10)
  const cost: Cost = { seen, source, day, ...JSON.parse(stdout) }
  return cost
}

/** Stores a cost right after its measurement, since each one takes minutes. */
function keep(cost: Cost): void {
  const others = kept().filter(({ seen, source }) => seen !== cost.seen || source !== cost.source)
  writeFileSync(KEPT, [...others, cost].map((each) => `${JSON.stringify(each)}\n`).join(''))
}

function kept(): Cost[] {
  if (!existsSync(KEPT)) return []
  const lines = readFileSync(KEPT, 'utf8').trim().split('\n')
  return lines.map((line): Cost => JSON.parse(line))
}

function shown(): string {
  const all = kept()
  const rows = (['generated', 'real'] as const).flatMap((source) =>
    SEEN_SET_NAMES.flatMap((name) =>
      all.filter((cost) => cost.seen === name && cost.source === source).map(row),
    ),
  )
  const head = ['--seen', 'URLs', 'bytes/URL', 'planned', 'disk bytes/URL', 'RSS MiB']
  return table([...head, 'wanted rate', 'measured', 'lost', 'day'], rows)
}

function row({ seen, source, urls, diskBytes, ...cost }: Cost): string[] {
  const { bytes, planned, resident } = cost
  const mebibytes = (resident / 2 ** 20).toFixed(0)
  return [
    ...[seen, `${urls.toLocaleString('en')} ${source}`],
    ...[bytes, planned].map((each) => (each / urls).toFixed(2)),
    ...[diskBytes === undefined ? '-' : (diskBytes / urls).toFixed(1), mebibytes],
    ...[seen.startsWith('bloom') ? String(RATE) : '0', cost.measured.toPrecision(2)],
    ...[cost.lost.toLocaleString('en'), cost.day],
  ]
}
