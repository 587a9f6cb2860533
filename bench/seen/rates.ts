import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { table } from '../report/readme.ts'

const PROGRAM = fileURLToPath(new URL('../false-positive-table.ts', import.meta.url))
const CELL = /^m\/n (?<bits>\d+), k (?<hashes>\d+): (?<measured>\S+),/gm

/** Returns the measured false-positive rates by bits per URL and hash functions. Rejects if a rate is off. */
export async function rates(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM])
  const cells = [...stdout.matchAll(CELL)].map(({ groups }) => ({ ...groups }))
  const hashes = [...new Set(cells.map((cell) => cell['hashes'] ?? ''))]
  const rows = [...Map.groupBy(cells, (cell) => cell['bits'])].map(([bits = '', row]) => [
    bits,
    ...hashes.map((k) => row.find((cell) => cell['hashes'] === k)?.['measured'] ?? '-'),
  ])
  const verdict = stdout.trim().split('\n').at(-1)
  return `${verdict}.\n\n${table(['m/n', ...hashes.map((k) => `k = ${k}`)], rows)}`
}
