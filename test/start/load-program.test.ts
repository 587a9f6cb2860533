import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { chosen } from '../support/soak.ts'

const LOADER = fileURLToPath(new URL('../../dist/load-program.cjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'load-'))
const cache = join(folder, 'cache')
const start = join(folder, 'start.cjs')

const STATEMENTS = 'count = count * 3 + 1;'.repeat(500)

beforeEach(() => {
  rmSync(cache, { recursive: true, force: true })
  writeProgram('started')
  write('start.cjs', `require(${JSON.stringify(LOADER)}).loadProgram(__dirname + '/program.cjs')`)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the loader', () => {
  it('runs a program with its required files, packages and modules of Node', () => {
    write('part.cjs', `exports.name = __filename.slice(-8) + require.length`)
    write('program.cjs', `console.log(require('./part.cjs').name, require('node:os').EOL.length)`)
    expect(run()).toBe('part.cjs1 1\n')
  })

  it('imports modules for a program like Node, without a warning', () => {
    const [module, warning] = [`data:text/javascript,export default 'imported'`, `'told'`]
    write(
      'program.cjs',
      `import("${module}").then((it) => { console.log(it.default); process.emitWarning(${warning}) })`,
    )
    const { stdout, stderr } = spawnSync(process.execPath, [start], { encoding: 'utf8' })
    expect(stdout).toBe('imported\n')
    expect(stderr).toMatch(/^\(node:\d+\) Warning: told\n.*\n$/)
  })

  it('reports the position of an error in the source file', () => {
    write('program.cjs', `  throw new Error('wrong')`)
    expect(() => run()).toThrow(/program\.cjs:1:9/)
  })

  it('caches the code of functions that have run, and of no others', () => {
    run('used')
    const [used] = kept()
    rmSync(cache, { recursive: true })
    run()
    const [unused] = kept()
    expect(used?.size).toBeGreaterThan(2 * (unused?.size ?? 0))
  })

  it('uses the cached code at the next start', () => {
    run()
    const first = kept()
    expect(run()).toBe('started\n')
    expect(kept()).toEqual(first)
  })

  it('says when no more code is to be cached', () => {
    const waiting = `const { Worker } = require('node:worker_threads')
      new Worker('0', { eval: true })
      setTimeout(() => {}, 5_000)`
    write('program.cjs', waiting)
    write(
      'start.cjs',
      `const { existsSync, readdirSync } = require('node:fs')
       const { NODE_COMPILE_CACHE: cache } = process.env
       const entries = existsSync(cache) ? readdirSync(cache, { recursive: true }) : []
       const was = entries.some((name) => name.includes('main-program'))
       const started = performance.now()
       const onKept = () => {
         const isLate = performance.now() > started + 650
         console.log(was ? 'was cached' : 'is cached', isLate)
         process.exit()
       }
       require(${JSON.stringify(LOADER)}).loadProgram(__dirname + '/program.cjs', onKept)`,
    )
    expect(run()).toBe('is cached true\n')
    expect(kept()).toHaveLength(1)
    expect(run()).toMatch(/^was cached/)
  })

  const DAMAGES: [name: string, damage: (code: Buffer) => Buffer][] = [
    ['damaged in one bit', (code) => code.fill((code[500] ?? 0) ^ 1, 500, 501)],
    ['truncated', (code) => code.subarray(0, 1_000)],
    ['empty', () => Buffer.alloc(0)],
  ]
  it.each(chosen(DAMAGES, ([name]) => name !== 'truncated'))(
    'compiles and caches the code again if the cache is %s',
    (_, damage) => {
      run()
      const [{ path, size } = { path: '', size: 0 }] = kept()
      writeFileSync(path, damage(readFileSync(path)))
      const damaged = kept()
      expect(run()).toBe('started\n')
      expect(kept()).not.toEqual(damaged)
      expect(kept()).toMatchObject([{ path, size }])
    },
  )

  it("doesn't use the cached code of a file with another content of the same length", () => {
    run()
    writeProgram('changed')
    expect(run()).toBe('changed\n')
  })

  it('removes code of other versions that was cached over 30 days ago, and nothing else', () => {
    run()
    const [{ path } = { path: '' }] = kept()
    const other = join(cache, 'program-1')
    const ages = { 'main-cli.cjs-af': 31, 'thread-cli.cjs-af.12-3': 31, 'main-cli.cjs-b0': 29 }
    writeAged(other, ages)
    writeAged(join(cache, 'program-2'), { 'main-cli.cjs-af': 31 })
    writeAged(join(cache, 'v24'), { 'main-cli.cjs-af': 31 })
    writeAged(dirname(path), { 'main-program.cjs-af': 31, 'notes.txt': 31 })
    run()
    expect(readdirSync(other)).toHaveLength(3)
    writeProgram('changed')
    run()
    expect(kept()).toHaveLength(2)
    expect(readdirSync(other)).toEqual(['main-cli.cjs-b0'])
    expect(readdirSync(dirname(path))).toContain('notes.txt')
    expect(readdirSync(cache)).not.toContain('program-2')
    expect(readdirSync(join(cache, 'v24'))).toHaveLength(1)
  })

  it('caches nothing for a run without threads, if caching is off, or without a directory', () => {
    const [withoutThreads, turnedOff] = [{ THREADS: '' }, { NODE_DISABLE_COMPILE_CACHE: '1' }]
    for (const env of [withoutThreads, turnedOff]) expect(run('', env)).toBe('started\n')
    expect(kept()).toEqual([])
    expect(run('', { NODE_COMPILE_CACHE: '/dev/null/none' })).toBe('started\n')
  })
})

/** Writes a program that prints a word, starts a thread, and may call a function. */
function writeProgram(word: string): void {
  write(
    'program.cjs',
    `const { Worker } = require('node:worker_threads')
     console.log('${word}')
     if (process.env.THREADS) new Worker('0', { eval: true })
     function use(count) { ${STATEMENTS} return count }
     if (process.argv[2] === 'used') use(1)`,
  )
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
}

/** Writes files that were changed a number of days ago. */
function writeAged(within: string, daysByName: Readonly<Record<string, number>>): void {
  mkdirSync(within, { recursive: true })
  for (const [name, days] of Object.entries(daysByName)) {
    const seconds = Date.now() / 1_000 - days * 86_400
    writeFileSync(join(within, name), '')
    utimesSync(join(within, name), seconds, seconds)
  }
}

/**
 * Runs the program. Returns its output.
 * @throws Error with what it wrote to stderr
 */
function run(argument = '', env: Readonly<Record<string, string>> = {}): string {
  const vars = { ...process.env, NODE_COMPILE_CACHE: cache, THREADS: '1', ...env }
  return execFileSync(process.execPath, [start, argument], {
    ...{ encoding: 'utf8', env: vars, stdio: 'pipe' },
  })
}

/** Returns the code cache files of the program, each of which is written once. */
function kept() {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const paths = files
    .filter((name) => name.includes('main-program'))
    .map((name) => join(folder, name))
  return paths.map((path) => {
    const { size, ino, mtimeNs } = statSync(path, { bigint: true })
    return { path, size: Number(size), ino, mtimeNs }
  })
}
