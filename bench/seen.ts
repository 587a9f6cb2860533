/**
 * Compares the seen sets with each other and with what articles print, and writes tables and charts
 * into docs/seen-comparison.md.
 *
 *   npm run bench:seen -- [--parts costs,speed,growth,claims,capacity,rates] [--urls 3e5] [--real <folder>]
 *
 * `--real` names a folder of `.tsv.gz` with a URL at the start of each line.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { loadNow, machine } from './report/machine.ts'
import { putSection } from './report/readme.ts'
import { capacities } from './seen/capacity.ts'
import { claims } from './seen/claims.ts'
import { costs } from './seen/cost.ts'
import { growth } from './seen/growth.ts'
import { speeds } from './seen/speed.ts'
import { realUrls } from './seen/urls.ts'

const docs = new URL('../docs/', import.meta.url)
const page = new URL('seen-comparison.md', docs)
const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'costs,speed,growth,claims,capacity,rates' },
    urls: { type: 'string', default: '3e5' },
    real: { type: 'string' },
  },
})
const real = values.real === undefined ? [] : realUrls(values.real)

interface Part {
  readonly markdown: string
  readonly svg?: string
}

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  costs: async () => ({ markdown: await costs(Number(values.urls), real, 0.001) }),
  speed: speeds,
  growth,
  claims: async () => ({ markdown: await claims() }),
  capacity: async () => ({ markdown: capacities() }),
  rates: async () => ({ markdown: await rates() }),
}

/** The last line of the program that measures 227 filters one by one. */
async function rates(): Promise<string> {
  const program = fileURLToPath(new URL('./false-positive-table.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return `${stdout.trim().split('\n').at(-1)}.`
}

for (const name of values.parts.split(',')) {
  const load = loadNow().toFixed(1)
  const { markdown, svg } = (await PARTS[name]?.()) ?? { markdown: '' }
  if (svg !== undefined) writeFileSync(new URL(`seen-${name}.svg`, docs), svg)
  const picture = svg === undefined ? '' : `\n\n![${name}](seen-${name}.svg)`
  const day = new Date().toISOString().slice(0, 10)
  const where = `${day}, ${machine()}; load before the start ${load}.`
  putSection(page, name, `${where}\n\n${markdown}${picture}`)
  console.log(`## ${name}\n${markdown}\n`)
}
