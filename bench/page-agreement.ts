/**
 * Compares the findings of the page scanner in WebAssembly with those of the reference scanner, and the reference with
 * parse5. The inputs are the pages of folders, and those of html5lib's tests. The latter are followed by links that
 * show in which state the scanner ends.
 *
 *   node bench/page-agreement.ts [--no-parse5] [--html5lib <folder>] [folders of .html files...]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { decodePage } from '../src/html/charset/decode-page.ts'
import { treeOracle } from '../test/html/reference-scanner/tree-oracle.ts'
import { BothScanners, type Findings } from '../test/html/wasm-scanner/both-scans.ts'

const PROBES = `<a href=1>"><a href=2>'><a href=3>--><a href=4></script></title></textarea><a href=5>`
/** Maximum number of differences that are shown. */
const SHOWN = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { html5lib: { type: 'string' }, parse5: { type: 'boolean', default: true } },
  allowNegative: true,
})
const plain = new BothScanners()
const withAssets = new BothScanners({ assets: true })
const counts = { pages: 0, links: 0, leftToReference: 0, unlikeReference: 0, unlikeParse5: 0 }

for (const folder of positionals) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (/\.html?$/.test(name)) compare(join(folder, name), readFileSync(join(folder, name)))
  }
}
if (values.html5lib !== undefined) {
  for (const [name, input] of html5libInputs(values.html5lib)) {
    const label = `${name}: ${JSON.stringify(input)}`
    compare(label, Buffer.from(input + PROBES))
    compare(label, Buffer.from(PROBES + input + PROBES))
  }
}
console.log(JSON.stringify(counts))
process.exitCode = counts.unlikeReference > 0 ? 1 : 0

function compare(name: string, body: Buffer): void {
  counts.pages++
  for (const scanners of [plain, withAssets]) {
    const expected = scanners.byReference(body)
    const found = scanners.byModule(body)
    if (found === undefined) counts.leftToReference++
    else show(name, 'unlikeReference', expected, found)
  }
  if (!values.parse5) return
  const { outlinks, charset } = plain.byReference(body)
  counts.links += outlinks.length
  show(name, 'unlikeParse5', { outlinks: treeOracle(decodePage(body, charset)) }, { outlinks })
}

/** Counts differences between two findings, and shows the first ones. */
function show(
  name: string,
  kind: 'unlikeReference' | 'unlikeParse5',
  expected: Partial<Findings>,
  found: Partial<Findings>,
): void {
  if (isDeepStrictEqual(expected, found) || counts[kind]++ >= SHOWN) return
  console.log(`${kind}: ${name}`)
  const fields = new Map(Object.entries(found))
  for (const [field, value] of Object.entries(expected)) {
    const other = fields.get(field)
    if (!isDeepStrictEqual(value, other)) console.log(`  ${inShort(value)}\n  ${inShort(other)}`)
  }
}

function inShort(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 400)
}

/** Yields the inputs of html5lib's tests of the tokenizer, which are JSON, and of its tests of trees. */
function* html5libInputs(folder: string): Generator<[name: string, input: string]> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (name.endsWith('.test')) {
      for (const input of tokenizerInputs(readFileSync(file, 'utf8'))) yield [name, input]
    } else if (name.endsWith('.dat')) {
      const parts = readFileSync(file, 'utf8')
        .split(/^#data\n/m)
        .slice(1)
      for (const part of parts)
        yield [name, part.split(/^#errors$/m, 1)[0]?.replace(/\n$/, '') ?? '']
    }
  }
}

function tokenizerInputs(json: string): string[] {
  const { tests = [] }: { tests?: { input?: string; doubleEscaped?: boolean }[] } = JSON.parse(json)
  return tests.flatMap(({ input = '', doubleEscaped }) =>
    doubleEscaped === true ? [JSON.parse(`"${input}"`)] : [input],
  )
}
