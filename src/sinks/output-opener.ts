import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Writable } from 'node:stream'
import { openTemporaryDatabase } from '../database/sqlite.ts'
import { CrawlerError } from '../errors.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { fileIdentity } from './file-identity.ts'
import { createFileOutput, type FileOutput } from './file-output.ts'
import type { ToldVisits } from './stored-visits.ts'
import { StreamOutput } from './stream-output.ts'
import { Spool } from './visit-spool.ts'

/** What all outputs of a crawl have to do with. */
export interface Surroundings {
  readonly stdout: Writable
  readonly overwrite: boolean
  /** What outlives the process. */
  readonly directory: StateDirectory | undefined
}

/** Opens files and stdout, and leaves things as they were when the crawl can't begin. */
export class Places {
  readonly #surroundings: Surroundings
  /** What leaves things as they were. */
  readonly #undo: (() => unknown)[] = []
  /** Names of the files that are written to, by their identities. */
  readonly #taken = new Map<string, string>()
  #spool: Spool | undefined
  #temporary: DatabaseSync | undefined

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Whether what is written outlives the process. */
  get isKept(): boolean {
    return this.#surroundings.directory !== undefined
  }

  /** Visits of earlier runs, by the last commit; undefined when nothing outlives the process. */
  get recordsBefore(): number | undefined {
    const { directory } = this.#surroundings
    return directory && (directory.saved?.ledger.tally.visits ?? 0)
  }

  /** What keeps visits for outputs that are made at the end; undefined when there are none. */
  get spool(): Spool | undefined {
    return this.#spool
  }

  /** Visits that are kept until the end. */
  get visits(): ToldVisits {
    this.#spool ??= new Spool(this.database)
    return this.#spool.visits
  }

  /** The database of the crawl, or one that is gone when all is closed. */
  get database(): DatabaseSync {
    const { directory } = this.#surroundings
    if (directory !== undefined) return directory.database
    this.#temporary ??= openTemporaryDatabase()
    return this.#temporary
  }

  /** Whether a file may stand already: it is ours, or may be replaced. */
  mayStand(name: string): boolean {
    return this.#surroundings.overwrite || this.#positionOf(name) !== undefined
  }

  /** @param name of a file, or - for stdout */
  async sink(name: string): Promise<StreamOutput> {
    if (name !== '-') return this.file(name)
    const { stdout } = this.#surroundings
    if ('fd' in stdout && typeof stdout.fd === 'number') this.#take('stdout', stdout.fd)
    return new StreamOutput(stdout, 'stdout', false)
  }

  /**
   * A file that goes on where it stood when the crawl is resumed.
   * @param isNamed whether the user named it; otherwise it lies beside one that he named
   * @throws CrawlerError 'usage' when something else is written to it already
   */
  async file(name: string, isNamed = true): Promise<FileOutput> {
    this.refuseTaken(name)
    const { overwrite, directory } = this.#surroundings
    const position = this.#positionOf(name)
    const mayFill = directory !== undefined
    const file = await createFileOutput(name, { overwrite, mayFill, position, isNamed })
    this.undoOnDiscard(() => file.discard())
    this.#take(name)
    return file
  }

  /** @throws CrawlerError('usage') when a file, under whatever name, is written to already */
  refuseTaken(name: string, file: string | number = name): void {
    const identity = fileIdentity(file)
    const other = identity === undefined ? undefined : this.#taken.get(identity)
    if (other === undefined) return
    const message = `${name}: expected a file of its own, got the same file as ${other}`
    throw new CrawlerError('usage', message)
  }

  undoOnDiscard(undo: () => unknown): void {
    this.#undo.push(undo)
  }

  /** The last thing first: a file may lie in a folder that was made before it. */
  async discard(): Promise<void> {
    for (const undo of this.#undo.toReversed()) await undo()
    this.close()
  }

  /** Lets go of what outputs shared. */
  close(): void {
    this.#temporary?.close()
    this.#temporary = undefined
  }

  #take(name: string, file: string | number = name): void {
    this.refuseTaken(name, file)
    const identity = fileIdentity(file)
    if (identity !== undefined) this.#taken.set(identity, name)
  }

  #positionOf(name: string): number | undefined {
    return this.#surroundings.directory?.saved?.ledger.positions[resolve(name)]
  }
}
