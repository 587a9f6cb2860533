import { existsSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { constants, Script } from 'node:vm'
import { isMainThread, threadId } from 'node:worker_threads'
import { crc32 } from 'node:zlib'

/** Milliseconds after which a thread has run most functions that a crawl needs, and V8 has the flags of the start. */
const WARM_MS = 700
/** Bytes of the checksum at the end of a file: V8 ends the process over damaged code. */
const CHECKSUM_BYTES = 4
/** The parameters of a module of CommonJS. */
const [HEAD, TAIL] = ['(function (exports, require, module, __filename, __dirname) {', '\n})']

type Require = (id: string) => unknown

/** A file whose code is not kept yet. */
interface NewCode {
  readonly script: Script
  /** Where to keep it. */
  readonly path: string
}

/**
 * Loads a file of the program and what it requires. Where `NODE_COMPILE_CACHE` names a directory, code that V8 compiled
 * is kept there for the next start. Node's own cache has the code of modules that have not run yet: most of their
 * functions were compiled again, one by one, in each thread of each crawl.
 */
export function loadProgram(file: string): unknown {
  silenceImports()
  const loader = new ProgramLoader()
  // A run without threads, such as that for --help, uses too little of the main thread's program.
  if (isMainThread) process.once('worker', () => loader.keepLater())
  else loader.keepLater()
  return loader.load(file)
}

/** Keeps Node from telling users how it imports modules for the program: it says so once, at the first import. */
function silenceImports(): void {
  const { emitWarning } = process
  const emitOther = (...args: unknown[]) => {
    if (!String(args[0]).includes('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER')) {
      return Reflect.apply(emitWarning, process, args)
    }
    return Object.assign(process, { emitWarning })
  }
  Object.assign(process, { emitWarning: emitOther })
}

class ProgramLoader {
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #tag = cachedDataVersionTag()
  /** Undefined where no code is kept. */
  readonly #folder: string | undefined = folderOf(this.#tag)
  readonly #new: NewCode[] = []

  load(file: string): unknown {
    const known = this.#modules.get(file)
    if (known !== undefined) return known.exports
    const module: { exports: unknown } = { exports: {} }
    this.#modules.set(file, module)
    const run: unknown = this.#compile(file).runInThisContext()
    if (typeof run === 'function') {
      run(module.exports, this.#requireFrom(file), module, file, dirname(file))
    }
    return module.exports
  }

  /** Keeps what is compiled in a while, or when the thread ends before. */
  keepLater(): void {
    if (this.#folder === undefined) return
    const keep = () => this.#keep()
    setTimeout(keep, WARM_MS).unref()
    process.once('exit', keep)
  }

  #compile(file: string): Script {
    const source = readFileSync(file)
    const path = this.#folder && codePath(this.#folder, file, source)
    const cachedData = path && readCode(path)
    const script = new Script(`${HEAD}${source}${TAIL}`, {
      ...{ filename: file, columnOffset: -HEAD.length },
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData ? { cachedData } : {}),
    })
    const isKept = cachedData && script.cachedDataRejected !== true
    if (path && !isKept) {
      removeIfThere(path)
      this.#new.push({ script, path })
    }
    return script
  }

  #requireFrom(file: string): Require {
    const requireOther = createRequire(file)
    return (id) => {
      if (id.startsWith('node:')) return process.getBuiltinModule(id)
      return id.startsWith('.') ? this.load(join(dirname(file), id)) : requireOther(id)
    }
  }

  #keep(): void {
    // V8 rejects code from under other flags. The next start may keep it.
    if (cachedDataVersionTag() !== this.#tag) return
    for (const { script, path } of this.#new.splice(0)) {
      // Another thread may have kept it meanwhile.
      if (!existsSync(path)) keepCode(path, script.createCachedData())
    }
  }
}

/** Returns the folder for code of this version of V8 and its flags. */
function folderOf(tag: number): string | undefined {
  const { NODE_COMPILE_CACHE: folder, NODE_DISABLE_COMPILE_CACHE: isDisabled } = process.env
  return folder && !isDisabled ? join(folder, `program-${tag}`) : undefined
}

/** Threads run other functions of the same file than the main one. Its content counts: V8 compares only its length. */
function codePath(folder: string, file: string, source: Buffer): string {
  const name = `${isMainThread ? 'main' : 'thread'}-${basename(file)}`
  return join(folder, `${name}-${crc32(source).toString(16)}`)
}

/** Returns code that was kept; undefined if there is none, or it is damaged. */
function readCode(path: string): Buffer | undefined {
  try {
    const file = readFileSync(path)
    const code = file.subarray(0, -CHECKSUM_BYTES)
    return crc32(code) === file.readUInt32LE(code.length) ? code : undefined
  } catch {
    return undefined
  }
}

/** Keeps code where that is possible: a start without it takes longer. */
function keepCode(path: string, code: Buffer): void {
  const part = `${path}.${process.pid}-${threadId}`
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(code))
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(part, Buffer.concat([code, checksum]), { flag: 'wx', mode: 0o600 })
    renameSync(part, path)
  } catch {
    removeIfThere(part)
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It is not there.
  }
}
