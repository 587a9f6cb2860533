import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Line, lineChart } from '../report/line-chart.ts'
import { table } from '../report/readme.ts'

const MOST = 4_000_000
const STEPS = 8
const NAMES = ['Map', 'exact', 'digest', 'bloom', 'hybrid'] as const
const CHILD = fileURLToPath(new URL('./growth-child.ts', import.meta.url))

async function growthOf(name: string): Promise<Line> {
  const args = ['--expose-gc', CHILD, name, String(MOST), String(STEPS)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const points = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .map(([urls = 0, rss = 0]) => ({ x: urls, y: rss }))
  const base = points[0]?.y ?? 0
  return { name, points: points.map(({ x, y }) => ({ x: x / 1e6, y: (y - base) / 2 ** 20 })) }
}

/** Measures the resident memory of each set as a crawl grows, minus that of the empty process. */
export async function growth(): Promise<{ markdown: string; svg: string }> {
  const lines: Line[] = []
  for (const name of NAMES) lines.push(await growthOf(name))
  const shown = (lines[0]?.points ?? []).filter((_, step) => step > 0 && step % 2 === 0)
  const rows = lines.map(({ name, points }) => [
    name,
    ...shown.map(({ x }) => points.find((point) => point.x === x)?.y.toFixed(0) ?? '-'),
  ])
  const head = shown.map(({ x }) => `MiB at ${x} million`)
  const caption = 'Resident memory (MiB) by URLs met (millions)'
  return { markdown: table(['set', ...head], rows), svg: lineChart(caption, lines) }
}
