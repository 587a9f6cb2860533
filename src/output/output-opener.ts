import { basename, dirname, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Writable } from 'node:stream'
import { compressionOf } from '../compressed-files/compression.ts'
import { openTemporaryDatabase } from '../database/sqlite.ts'
import { CrawlerError } from '../errors.ts'
import type { GroupField } from '../records/group-field.ts'
import { isStateFile } from '../state/private-state-files.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import { fileIdentity, isSameFile } from './file-identity.ts'
import { type FileOutput, openFileOutput } from './file-output.ts'
import type { FileTraits } from './file-target.ts'
import { StoredVisits } from './stored-visits.ts'
import { StreamOutput } from './stream-output.ts'

/** Settings that all outputs of a crawl share. */
interface OutputContext {
  readonly stdout: Writable
  /** True if text on stdout may be colored. */
  readonly hasColors: boolean
  readonly overwrite: boolean
  /** The template of a line, for outputs whose lines have one. */
  readonly template: string | undefined
  /** The fields of a visit that outputs with columns contain, in this order; undefined for all fields. */
  readonly chosenFields: readonly string[] | undefined
  /** The names of extracted fields, for outputs with a column for each. */
  readonly fieldNames: readonly string[]
  /** Extracted fields of groups, by their names `group.field`. */
  readonly groupFields: ReadonlyMap<string, GroupField>
  /** Bytes at which a WARC file is large enough, so that the archive continues in another one. */
  readonly splitWarc: number | undefined
  /** Indexes of earlier archives, whose bodies a WARC file doesn't repeat. */
  readonly warcDedup: readonly string[]
  /** Returns the URL with which `--canonicalize` merges a URL, and which is visited in its place. */
  readonly merged: (url: string) => string
  /** The state directory; undefined if the crawl is not kept. */
  readonly directory: StateDirectory | undefined
  /** True if the crawl is part of a job, which counts pages as done once their records are durable. */
  readonly isOfJob: boolean
}

/** Opens files and stdout, and undoes that if the crawl can't start. */
export class OutputOpener {
  readonly context: OutputContext
  /** Actions that undo an opening. */
  readonly #undo: (() => unknown)[] = []
  /** Names of the opened files by identity. */
  readonly #opened = new Map<string, string>()
  #visits: StoredVisits | undefined
  #temporary: DatabaseSync | undefined

  constructor(context: OutputContext) {
    this.context = context
  }

  /** True if a later run can continue the output. */
  get isKept(): boolean {
    return this.context.directory !== undefined
  }

  /** True if writes must survive a power cut. */
  get isDurable(): boolean {
    return this.isKept || this.context.isOfJob
  }

  /** Number of visits that earlier runs committed; undefined without a state directory. */
  get committedRecords(): number | undefined {
    const { directory } = this.context
    return directory && (directory.saved?.ledger.tally.visits ?? 0)
  }

  /** The output that stores visits for formats that are made at the end; undefined if no such format is open. */
  get storedVisits(): StoredVisits | undefined {
    return this.#visits
  }

  /** The visits that are stored until the end. */
  get visits(): StoredVisits {
    this.#visits ??= new StoredVisits(this.database, this.context.merged)
    return this.#visits
  }

  /** The database of the crawl, or a temporary one. */
  get database(): DatabaseSync {
    const { directory } = this.context
    if (directory !== undefined) return directory.database
    this.#temporary ??= openTemporaryDatabase()
    return this.#temporary
  }

  /** Returns whether a file may exist already: it may be replaced, or an earlier run wrote it. */
  mayExist(name: string): boolean {
    return this.context.overwrite || this.committedBytes(name) !== undefined
  }

  /** Returns whether an existing file may be removed: the user said so, or an earlier run created it and was killed. */
  mayReplace(name: string): boolean {
    const { overwrite, directory } = this.context
    return overwrite || directory?.created.has(name) === true
  }

  /** Returns the number of bytes of a file that earlier runs committed; undefined if it isn't a file of theirs. */
  committedBytes(name: string): number | undefined {
    return this.context.directory?.saved?.ledger.positions[resolve(name)]
  }

  /** Returns the name of a file or folder in the last run if it has moved since. */
  formerName(name: string): string | undefined {
    return this.context.directory?.formerName(name)
  }

  /**
   * Opens a destination of text, which is compressed if the extension of the name says so.
   * @param name of a file, or - for stdout
   */
  async openSink(name: string): Promise<StreamOutput> {
    if (name !== '-') return this.openFile(name, { compression: compressionOf(name) })
    const { stdout } = this.context
    if ('fd' in stdout && typeof stdout.fd === 'number') this.#register('stdout', stdout.fd)
    return new StreamOutput(stdout, 'stdout', false)
  }

  /**
   * Opens a file. On resuming, the file is continued after its committed bytes.
   * @throws CrawlerError('usage') if another output writes to it, or if the state has a file of that name
   */
  async openFile(name: string, traits: FileTraits): Promise<FileOutput> {
    this.refuseOpened(name)
    this.#refuseStateFile(name)
    const { overwrite, directory, isOfJob } = this.context
    const position = this.committedBytes(name)
    const mayReplaceEmpty = directory?.created.has(name) === true
    if (position === undefined) directory?.created.announce(name)
    const file = await openFileOutput(name, {
      ...traits,
      overwrite,
      mayReplaceEmpty,
      position,
      isOfJob,
      isResumed: directory?.saved !== undefined,
    })
    if (file.isNew) directory?.created.add(name)
    this.undoOnDiscard(() => file.discard())
    this.#register(name)
    return file
  }

  /** @throws CrawlerError('usage') if another output writes to the file, under any name */
  refuseOpened(name: string, file: string | number = name): void {
    const identity = fileIdentity(file)
    const other = identity === undefined ? undefined : this.#opened.get(identity)
    if (other === undefined) return
    const message = `${name}: expected a separate file, got the same file as ${other}`
    throw new CrawlerError('usage', message)
  }

  /** Refuses a name of the state's own files in its directory, which would be damaged. */
  #refuseStateFile(name: string): void {
    const { directory } = this.context
    if (directory === undefined || !isStateFile(basename(name))) return
    if (!isSameFile(dirname(name), directory.path)) return
    const message = `${name}: expected another name, since the state keeps a file of this name there`
    throw new CrawlerError('usage', message)
  }

  undoOnDiscard(undo: () => unknown): void {
    this.#undo.push(undo)
  }

  /** Undoes all openings, in reverse order: a file may be in a folder that was created before it. */
  async discard(): Promise<void> {
    for (const undo of this.#undo.toReversed()) await undo()
    this.close()
  }

  /** Closes the temporary database. */
  close(): void {
    this.#temporary?.close()
    this.#temporary = undefined
  }

  #register(name: string, file: string | number = name): void {
    this.refuseOpened(name, file)
    const identity = fileIdentity(file)
    if (identity !== undefined) this.#opened.set(identity, name)
  }
}
