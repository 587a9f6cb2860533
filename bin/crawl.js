#!/usr/bin/env node
// A CommonJS module (see package.json in this folder): Node's loader of ECMAScript modules takes 5 ms to start.
const { existsSync, mkdirSync, readFileSync, statSync } = require('node:fs')
const { isAbsolute, join } = require('node:path')

// Checked before any code that older versions of Node can't run, so that they print a one-line message.
const { node, bun, deno } = process.versions
const [major, minor] = node.split('.').map(Number)
// Minimum KiB of address space (ulimit -v). With less, Node starts, but V8 aborts while the program is loaded.
const LEAST_ADDRESSES = 1500000
const addresses = addressLimit()
const program = join(__dirname, '../dist/load-program.cjs')

if (bun || deno || major < 22 || major === 23 || (major === 22 && minor < 19)) {
  const found = (bun && `Bun ${bun}`) || (deno && `Deno ${deno}`) || node
  refuse(`expected Node.js 22.19 or newer, except 23, got ${found}`)
} else if (addresses < LEAST_ADDRESSES) {
  const expected = `expected at least ${LEAST_ADDRESSES} KiB`
  refuse(`the limit of the address space (ulimit -v): ${expected}, got ${addresses}`)
} else if (!existsSync(program)) {
  refuse(`the program is not built (found no ${program}): run npm run build`)
} else {
  // By default, Node would open its debugger to all programs on the machine.
  process.on('SIGUSR1', () => {})
  cacheCompiledCode()
  const { loadProgram } = require(program)
  const { run } = loadProgram(join(__dirname, '../dist/cli.cjs'))
  run()
}

// Prints a message as a line of the log if the log is JSON.
function refuse(msg) {
  const isJson = /(^| )--log-format[ =]json( |$)/.test(process.argv.slice(2).join(' '))
  const line = { level: 60, time: new Date().toISOString(), exitCode: 2, msg }
  console.error(isJson ? JSON.stringify(line) : `crawl: ${msg}`)
  process.exitCode = 2
}

// Caches the code that V8 compiles for the next start. Workers get the path of the cache from the environment. Node
// would cache in the directory for temporary files, where other users could plant code.
function cacheCompiledCode() {
  const { enableCompileCache } = require('node:module')
  // Windows sets only the last one of the three.
  const { NODE_COMPILE_CACHE, XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env
  const caches = XDG_CACHE_HOME || (HOME && `${HOME}/.cache`) || LOCALAPPDATA
  if (!NODE_COMPILE_CACHE && caches && isAbsolute(caches)) {
    process.env.NODE_COMPILE_CACHE = makeDirectory(caches) && makeDirectory(`${caches}/orbweaver`)
  }
  if (process.env.NODE_COMPILE_CACHE) enableCompileCache()
}

// Returns the path, or '' if there is no such directory and none can be created, or if it belongs to another user, as
// with sudo, or all may write to it. Callers create one level at a time: below /proc, Node would never finish creating
// several.
function makeDirectory(path) {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (_) {
    // The directory may exist.
  }
  try {
    const { uid, mode } = statSync(path)
    const isOwn = !process.getuid || (uid === process.getuid() && (mode & 0o002) === 0)
    return isOwn ? path : ''
  } catch (_) {
    return ''
  }
}

// Returns the limit of the address space in KiB; infinite if there is no limit, or the system is not Linux.
function addressLimit() {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    const [, bytes] = /^Max address space +(\d+) /m.exec(limits) || []
    return bytes === undefined ? Infinity : bytes / 1024
  } catch (_) {
    return Infinity
  }
}
