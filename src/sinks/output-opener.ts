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

/** Settings that all outputs of a crawl share. */
export interface Surroundings {
  readonly stdout: Writable
  readonly overwrite: boolean
  /** The state directory, which outlives the process. */
  readonly directory: StateDirectory | undefined
}

/** Opens files and stdout, and undoes that when the crawl can't start. */
export class Places {
  readonly #surroundings: Surroundings
  /** Actions that undo an opening. */
  readonly #undo: (() => unknown)[] = []
  /** Names of the opened files by identity. */
  readonly #taken = new Map<string, string>()
  #spool: Spool | undefined
  #temporary: DatabaseSync | undefined

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** The output outlives the process. */
  get isKept(): boolean {
    return this.#surroundings.directory !== undefined
  }

  /** Visits that earlier runs committed; undefined when nothing outlives the process. */
  get recordsBefore(): number | undefined {
    const { directory } = this.#surroundings
    return directory && (directory.saved?.ledger.tally.visits ?? 0)
  }

  /** Stores visits for outputs that are made at the end; undefined when there are none. */
  get spool(): Spool | undefined {
    return this.#spool
  }

  /** Visits stored until the end. */
  get visits(): ToldVisits {
    this.#spool ??= new Spool(this.database)
    return this.#spool.visits
  }

  /** The database of the crawl, or a temporary one. */
  get database(): DatabaseSync {
    const { directory } = this.#surroundings
    if (directory !== undefined) return directory.database
    this.#temporary ??= openTemporaryDatabase()
    return this.#temporary
  }

  /** Returns whether an existing file is acceptable: it is ours, or may be replaced. */
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
   * Opens a file; on resuming it continues at its committed length.
   * @param isNamed the user named it; otherwise it lies next to a named one
   * @throws CrawlerError 'usage' when another output writes to it
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

  /** @throws CrawlerError('usage') when another output writes to the file, under any name */
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

  /** Undoes in reverse order: a file may lie in a folder that was created before it. */
  async discard(): Promise<void> {
    for (const undo of this.#undo.toReversed()) await undo()
    this.close()
  }

  /** Closes the temporary database. */
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
