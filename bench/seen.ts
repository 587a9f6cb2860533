/**
 * Compares the seen sets with each other and with those printed in articles. Writes tables and charts to
 * docs/seen-comparison.md.
 *
 *   npm run bench:seen -- [--parts costs,speed,growth,claims,capacity,rates] [--seen <name>...] [--urls 1e8] [--real <folder>]
 *
 * `--real` names a folder of `.tsv.gz` files with a URL at the start of each line. `--seen` and `--urls` limit the
 * measurement of costs; the other rows stay as they are. Costs take an hour. Costs and rates don't depend on the load
 * of the machine. The other parts do, and take five minutes together.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SEEN_SET_NAMES } from '../src/seen/seen-set.ts'
import { loadNow, machine } from './report/machine.ts'
import { putSection } from './report/readme.ts'
import { capacities } from './seen/capacity.ts'
import { claims } from './seen/claims.ts'
import { costs } from './seen/cost.ts'
import { growth } from './seen/growth.ts'
import { rates } from './seen/rates.ts'
import { speeds } from './seen/speed.ts'

const docs = new URL('../docs/', import.meta.url)
const page = new URL('seen-comparison.md', docs)
const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'costs,speed,growth,claims,capacity,rates' },
    seen: { type: 'string', multiple: true, default: [...SEEN_SET_NAMES] },
    urls: { type: 'string', default: '1e8' },
    real: { type: 'string' },
  },
})
const { seen: names, urls, real } = values

interface Part {
  readonly markdown: string
  readonly svg?: string
}

const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  costs: async () => ({ markdown: await costs({ names, most: Number(urls), real }) }),
  speed: speeds,
  growth,
  claims: async () => ({ markdown: await claims() }),
  capacity: async () => ({ markdown: capacities() }),
  rates: async () => ({ markdown: await rates() }),
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
