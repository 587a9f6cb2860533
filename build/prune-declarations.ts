import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

// tsc writes declarations of all files of the program. Users of the library need only those that its entry imports.
const IMPORT = /(?:\bfrom |\bimport\()['"](\.[^'"]+)['"]/g
const reached = new Set<string>()
reach(normalize('dist/index.d.ts'))
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const file = join('dist', name)
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file)
}
dropEmpty('dist')

function reach(file: string): void {
  if (reached.has(file)) return
  reached.add(file)
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    reach(join(dirname(file), target.replace(/\.[jt]s$/, '.d.ts')))
  }
}

function dropEmpty(folder: string): void {
  const entries = readdirSync(folder, { withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) dropEmpty(join(folder, entry.name))
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
