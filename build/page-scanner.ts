import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Build, compilePageScanner } from './page-scanner/compile.ts'
import { constantsSource } from './page-scanner/constants.ts'

// Compiles the page scanner, for the program and for its tests, into TypeScript files that contain it as text. That
// takes a few seconds, so it is skipped if nothing has changed.
const folder = fileURLToPath(new URL('../src/html/wasm-scanner/', import.meta.url))
const assembly = `${folder}assemblyscript/`
const generated = `${folder}generated/`
for (const made of [generated, `${assembly}generated/`]) mkdirSync(made, { recursive: true })
writeFileSync(`${assembly}generated/constants.ts`, constantsSource())
for (const build of ['release', 'checked'] as const) await update(build)

async function update(build: Build): Promise<void> {
  const file = `${generated}${build}.ts`
  const head = `// Of sources with the digest ${digest()}, by \`npm run build\`.\n`
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return
  const base64 = Buffer.from(await compilePageScanner(build)).toString('base64')
  writeFileSync(file, `${head}export const WASM = '${base64}'\n`)
}

/** Returns a digest of the sources, of the compiler's options and of its version. */
function digest(): string {
  const compiler = new URL('../node_modules/assemblyscript/package.json', import.meta.url)
  const options = new URL('./page-scanner/compile.ts', import.meta.url)
  const names = readdirSync(assembly, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => name.endsWith('.ts')).sort()
  const hash = createHash('sha256')
  for (const file of [compiler, options, ...sources.map((name) => assembly + name)])
    hash.update(readFileSync(file))
  return hash.digest('hex')
}
