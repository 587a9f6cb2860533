import { closeSync, constants, existsSync, lstatSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CrawlerError, codeOf } from '../errors.ts'

/**
 * Folder in which Linux lists the open files of a process. A path through it leads to the open
 * file, even if somebody moves or replaces that.
 */
const DESCRIPTORS_FOLDER = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined
/** Windows has neither. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants

/**
 * An open folder that was not reached through a symbolic link. If the system can resolve paths from
 * an open folder, nobody can insert a link during use. On other systems, each folder of a path is
 * checked before it is opened.
 */
export class SymlinkFreeFolder {
  /** Its absolute name. */
  readonly name: string
  readonly #descriptor: number | undefined

  private constructor(name: string, descriptor: number | undefined) {
    this.name = name
    this.#descriptor = descriptor
  }

  /** @param name given by the user, so it may be a link */
  static open(name: string): SymlinkFreeFolder {
    const whole = resolve(name)
    return new SymlinkFreeFolder(whole, DESCRIPTORS_FOLDER && openSync(whole, O_DIRECTORY))
  }

  /** Path for system calls, in all threads, while the folder is open. */
  get path(): string {
    return this.#descriptor === undefined ? this.name : `${DESCRIPTORS_FOLDER}/${this.#descriptor}`
  }

  /**
   * Opens a folder in this one, creating it if there is none.
   * @throws CrawlerError('output') when the name belongs to a link or a file
   */
  enter(name: string): SymlinkFreeFolder {
    const path = this.pathTo(name)
    try {
      mkdirSync(path)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    return new SymlinkFreeFolder(join(this.name, name), this.#openStep(path, name))
  }

  /**
   * @throws CrawlerError('output') for an invalid name, since names may come from a stranger's
   * database; Windows reads `\` as `/`, and `:` after a drive
   */
  pathTo(name: string): string {
    if (!/^(?:|\.|\.\.)$|[/\\:\0]/.test(name)) return join(this.path, name)
    throw new CrawlerError('output', `${this.name}: expected names of saved files, got \`${name}\``)
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #openStep(path: string, name: string): number | undefined {
    try {
      if (DESCRIPTORS_FOLDER !== undefined) return openSync(path, O_DIRECTORY | O_NOFOLLOW)
    } catch (error) {
      if (!['ELOOP', 'ENOTDIR'].includes(codeOf(error))) throw error
      throw this.#notAFolder(name)
    }
    if (!lstatSync(path).isDirectory()) throw this.#notAFolder(name)
    return undefined
  }

  #notAFolder(name: string): CrawlerError {
    const message = `${join(this.name, name)}: expected a folder, got a link or a file that the crawl did not make`
    return new CrawlerError('output', message)
  }
}
