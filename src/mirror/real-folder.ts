import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CrawlerError } from '../errors.ts'

/** Where Linux shows the open files of a process. What lies behind one can't be moved away by others. */
const DESCRIPTORS = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined
/** Windows knows neither. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants

/**
 * A folder that is none by way of a link. Where the system can go on from an open folder, nobody can put a link in
 * the way while it is used; elsewhere each step is looked at before it is taken.
 */
export class RealFolder {
  /** As it is called. */
  readonly name: string
  readonly #descriptor: number | undefined

  private constructor(name: string, descriptor: number | undefined) {
    this.name = name
    this.#descriptor = descriptor
  }

  /** @param name given by the user, who may name a link */
  static open(name: string): RealFolder {
    const whole = resolve(name)
    return new RealFolder(whole, DESCRIPTORS && openSync(whole, O_DIRECTORY))
  }

  /** For calls of the system, in all threads, as long as the folder is open. */
  get path(): string {
    return this.#descriptor === undefined ? this.name : `${DESCRIPTORS}/${this.#descriptor}`
  }

  /**
   * Opens a folder in this one, made where there is none.
   * @throws CrawlerError('output') when that is a link, or something else than a folder
   */
  enter(name: string): RealFolder {
    const path = this.pathTo(name)
    try {
      mkdirSync(path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    return new RealFolder(join(this.name, name), this.#step(path, name))
  }

  /** @throws CrawlerError('output') for what is no name in a folder: it may come from a database of a stranger */
  pathTo(name: string): string {
    if (!/^(?:|\.|\.\.)$|[/\0]/.test(name)) return join(this.path, name)
    throw new CrawlerError('output', `${this.name}: expected names of saved files, got \`${name}\``)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #step(path: string, name: string): number | undefined {
    try {
      if (DESCRIPTORS !== undefined) return openSync(path, O_DIRECTORY | O_NOFOLLOW)
    } catch (error) {
      if (!['ELOOP', 'ENOTDIR'].includes(codeOf(error))) throw error
      throw this.#noFolder(name)
    }
    if (!lstatSync(path).isDirectory()) throw this.#noFolder(name)
    return undefined
  }

  #noFolder(name: string): CrawlerError {
    const message = `${join(this.name, name)}: expected a folder, got a link or a file that the crawl did not make`
    return new CrawlerError('output', message)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
