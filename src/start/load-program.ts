import { existsSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { constants, Script } from 'node:vm'
import { isMainThread, threadId } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { quietly, removeOldCode } from './remove-old-code.ts'

/** Milliseconds until a thread has loaded all files of its program, also those that only some crawls need. */
const LOADED_MS = 150
/** Milliseconds until a thread has run most functions that a crawl needs. */
const WARM_MS = 700
/** Bytes of the checksum at the end of a file. V8 ends the process if it gets damaged code. */
const CHECKSUM_BYTES = 4
/** The function in which Node wraps a CommonJS module. */
const [HEAD, TAIL] = ['(function (exports, require, module, __filename, __dirname) {', '\n})']

type Require = (id: string) => unknown

/** A file whose compiled code is not cached yet. */
interface NewCode {
  readonly script: Script
  /** Path of the cache file for its code. */
  readonly path: string
}

/**
 * Loads a file of the program and the files that it requires. If `NODE_COMPILE_CACHE` names a directory, the code that
 * V8 compiled is cached there for the next start. Node's own cache stores modules before they run, so it lacks most of
 * their functions: each thread of each crawl compiled them again, one by one.
 * @param onKept called once no more code is to be cached, so that V8's flags may change: V8 rejects code that was
 * cached under other flags
 */
export function loadProgram(file: string, onKept: () => void = () => {}): unknown {
  silenceImports()
  const loader = new ProgramLoader(onKept)
  // A run without threads, such as --help, uses too little of the main thread's program to cache it.
  if (isMainThread) process.once('worker', () => loader.keepLater())
  else loader.keepLater()
  return loader.load(file)
}

/** Suppresses the warning that Node emits at the program's first `import()`: that its loader is experimental. */
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
  /** Undefined if no code is cached. */
  readonly #folder: string | undefined = folderOf(this.#tag)
  readonly #new: NewCode[] = []
  readonly #onKept: () => void

  constructor(onKept: () => void) {
    this.#onKept = onKept
  }

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

  /** Caches the compiled code after a while, or when the thread ends if that is earlier. */
  keepLater(): void {
    setTimeout(() => this.#keepOnceWarm(), LOADED_MS).unref()
    process.once('exit', () => this.#keep())
  }

  #keepOnceWarm(): void {
    if (this.#new.length === 0) {
      this.#onKept()
      return
    }
    const keep = () => {
      this.#keep()
      this.#onKept()
    }
    setTimeout(keep, WARM_MS - LOADED_MS).unref()
  }

  #compile(file: string): Script {
    const source = readFileSync(file)
    const path = this.#folder && codePath(this.#folder, file, source)
    const cachedData = path && readCode(path)
    const script = new Script(`${HEAD}${source}${TAIL}`, {
      filename: file,
      columnOffset: -HEAD.length,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData ? { cachedData } : {}),
    })
    const isKept = cachedData && script.cachedDataRejected !== true
    if (path && !isKept) {
      quietly(() => unlinkSync(path))
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
    // V8 rejects code that was compiled under other flags. The next start may cache it.
    if (cachedDataVersionTag() !== this.#tag) return
    const isNew = this.#new.length > 0
    for (const { script, path } of this.#new.splice(0)) {
      // Another thread may have cached it meanwhile.
      if (!existsSync(path)) keepCode(path, script.createCachedData())
    }
    if (isNew && isMainThread && this.#folder) removeOldCode(dirname(this.#folder))
  }
}

/** Returns the folder for code of this V8 version and its flags; undefined if no code is cached. */
function folderOf(tag: number): string | undefined {
  const { NODE_COMPILE_CACHE: folder, NODE_DISABLE_COMPILE_CACHE: isDisabled } = process.env
  return folder && !isDisabled ? join(folder, `program-${tag}`) : undefined
}

/**
 * Returns the path of the cache file for a source file. The main thread has files of its own, since it runs other
 * functions of a source file than the other threads. The name contains a checksum, since V8 compares only the length
 * of the source.
 */
function codePath(folder: string, file: string, source: Buffer): string {
  const name = `${isMainThread ? 'main' : 'thread'}-${basename(file)}`
  return join(folder, `${name}-${crc32(source).toString(16)}`)
}

/** Returns cached code; undefined if there is none, or it is damaged. */
function readCode(path: string): Buffer | undefined {
  return quietly(() => {
    const file = readFileSync(path)
    const code = file.subarray(0, -CHECKSUM_BYTES)
    return crc32(code) === file.readUInt32LE(code.length) ? code : undefined
  })
}

/** Caches code. Ignores failures: without the code, the next start only takes longer. */
function keepCode(path: string, code: Buffer): void {
  const part = `${path}.${process.pid}-${threadId}`
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(code))
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(part, Buffer.concat([code, checksum]), { flag: 'wx', mode: 0o600 })
    renameSync(part, path)
  } catch {
    quietly(() => unlinkSync(part))
  }
}
