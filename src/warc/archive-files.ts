import { unlinkSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { CrawlerError } from '../errors.ts'
import { lostBytesError } from '../output/committed-part.ts'
import type { FileOutput } from '../output/file-output.ts'
import { missingOutputs } from '../output/missing-outputs.ts'
import type { OutputEvents } from '../output/output.ts'
import type { OutputOpener } from '../output/output-opener.ts'
import type { Positions } from '../state/ledger.ts'
import type { Place } from './captures.ts'

const EXTENSION = /(?:\.warc)?(?:\.gz)?$/i
/** Number of digits of the number of a file, so that files are sorted by their names. */
const DIGITS = 5
const NUMBER = new RegExp(`^\\d{${DIGITS},15}$`)

interface FilesTraits {
  /** The first bytes that the parts of a file may have; see `OutputOpener.openFile`. */
  readonly nextBytes: readonly number[]
  /** Bytes at which a file is full; infinite for a single file. */
  readonly maxBytes: number
}

/** A file of an archive, and the number of bytes in the files before it. */
interface ArchiveFile {
  readonly name: string
  readonly start: number
}

/**
 * The files of an archive: the one that the user named, and numbered ones next to it. Each begins when the one before
 * is full. Positions are counted through all files.
 */
export class ArchiveFiles {
  readonly #opener: OutputOpener
  readonly #traits: FilesTraits
  /** All files, in order. */
  readonly #files: ArchiveFile[]
  /** Files of an earlier archive of that name. */
  readonly #replaced: readonly string[]
  /** The last file. */
  #file: FileOutput
  #length: number
  /** True while bytes were written in this run, and others may follow. */
  #isGrowing = false
  #events: OutputEvents | undefined
  /** Pending while the next file is opened. */
  #opening: Promise<void> | undefined

  private constructor(
    opener: OutputOpener,
    traits: FilesTraits,
    files: ArchiveFile[],
    replaced: readonly string[],
    last: FileOutput,
  ) {
    this.#opener = opener
    this.#traits = traits
    this.#files = files
    this.#replaced = replaced
    this.#file = last
    this.#length = lastOf(files).start + last.start
  }

  /** @throws CrawlerError */
  static async open(
    name: string,
    opener: OutputOpener,
    traits: FilesTraits,
  ): Promise<ArchiveFiles> {
    const files = committedFiles(name, opener)
    const isNamedByUser = files.length === 1
    const { nextBytes, maxBytes } = traits
    const last = await opener.openFile(lastOf(files).name, { isNamedByUser, nextBytes })
    const isSplit = last.isCutBackOnResume && Number.isFinite(maxBytes)
    const replaced = isSplit ? await formerFiles(name, files.length, opener) : []
    return new ArchiveFiles(opener, traits, files, replaced, last)
  }

  /** See `StreamOutput`. */
  get isCutBackOnResume(): boolean {
    return this.#file.isCutBackOnResume
  }

  get congested(): boolean {
    return this.#file.congested
  }

  /** Number of bytes in all files, without the suffix. */
  get length(): number {
    return this.#length
  }

  /** Name of the last file. */
  get name(): string {
    return lastOf(this.#files).name
  }

  /** True if nothing is in the last file yet. */
  get isAtStart(): boolean {
    return this.#length === lastOf(this.#files).start
  }

  /** True if the last file is full, and another one is probably needed. */
  get #isFull(): boolean {
    if (!this.#isGrowing) return false
    return this.#length - lastOf(this.#files).start >= this.#traits.maxBytes
  }

  /** Must be called once, before any write. Removes the files of an earlier archive. */
  open(events: OutputEvents): void {
    this.#events = events
    for (const name of this.#replaced) unlinkSync(name)
    this.#file.open(events)
  }

  /** Appends bytes to the last file. */
  write(bytes: Uint8Array): void {
    this.#isGrowing = true
    this.#file.writeBytes(bytes)
    this.#length += bytes.length
  }

  /** Appends bytes that a later run replaces by records. */
  async writeSuffix(bytes: Uint8Array): Promise<void> {
    this.#file.writeBytes(bytes)
    if (this.#file.congested) await this.#file.sync()
  }

  /** Begins the next file if the last one is full. What is written meanwhile goes to the last one. */
  beginNext(): void {
    // A file of a durable archive begins in `sync`: the commit that follows knows all files, and a killed process leaves
    // no other ones.
    if (this.#opener.isDurable || !this.#isFull || this.#opening !== undefined) return
    this.#opening = this.#openNext()
      .catch((error) => this.#events?.failed(error))
      .finally(() => (this.#opening = undefined))
  }

  /** Makes all files durable, and begins the next one if the last one is full. */
  async sync(): Promise<Positions> {
    await this.#opening
    const positions = await this.#file.sync()
    if (!this.#opener.isDurable || !this.#isFull) return { ...this.#fullFiles(), ...positions }
    await this.#openNext()
    return { ...this.#fullFiles(), ...(await this.#file.sync()) }
  }

  /** Notes that nothing follows in this run but a suffix. */
  async finish(): Promise<void> {
    await this.#opening
    this.#isGrowing = false
  }

  async close(): Promise<void> {
    await this.#opening
    await this.#file.close()
  }

  /** Returns the file that contains the byte at a position, and the position in that file. */
  placeOf(position: number): Place {
    const { name, start } =
      this.#files.findLast((each) => each.start <= position) ?? lastOf(this.#files)
    return { filename: basename(name), offset: position - start }
  }

  async #openNext(): Promise<void> {
    const { nextBytes } = this.#traits
    const name = numberedName(this.#files[0]?.name ?? '', this.#files.length + 1)
    const next = await this.#opener.openFile(name, { isNamedByUser: false, nextBytes })
    if (this.#events !== undefined) next.open(this.#events)
    const full = this.#file
    this.#file = next
    this.#files.push({ name, start: this.#length })
    // A job writes records during a sync, and the next one makes only the next file durable.
    if (this.#opener.isDurable) await full.sync()
    await full.close()
    // The full file may have been congested.
    this.#events?.drained()
  }

  /** Returns the lengths of all files but the last one. */
  #fullFiles(): Positions {
    const full = this.#files.slice(0, -1).map(({ name, start }, index) => {
      const { start: end = start } = this.#files[index + 1] ?? {}
      return [resolve(name), end - start] as const
    })
    return Object.fromEntries(full)
  }
}

/**
 * Returns the files that earlier runs committed, or the first one.
 * @throws CrawlerError('state') if a file is missing, was cut, or has another name now
 */
function committedFiles(name: string, opener: OutputOpener): ArchiveFile[] {
  const files = [{ name, start: 0 }]
  for (;;) {
    const { name: last, start } = lastOf(files)
    const next = numberedName(name, files.length + 1)
    if (opener.committedBytes(next) === undefined) {
      refuseLeftFile(name, files.length + 1, opener)
      return files
    }
    // Only the last file will be opened, which checks it.
    const length = opener.committedBytes(last) ?? 0
    missingOutputs({ [last]: length })
    files.push({ name: next, start: start + length })
  }
}

/** Refuses an archive that was moved or renamed without its file of this number. */
function refuseLeftFile(name: string, number: number, opener: OutputOpener): void {
  const former = opener.formerName(name)
  if (former === undefined) return
  const left = numberedName(former, number)
  const length = opener.committedBytes(left)
  if (length === undefined) return
  if (basename(name) === basename(former))
    throw lostBytesError(numberedName(name, number), length, 'none')
  const message = `${name}: expected the name ${basename(former)}, since the archive continues in ${left}`
  throw new CrawlerError('state', message)
}

/**
 * Returns the existing files that have numbers above `count`.
 * @throws CrawlerError('usage') if they may not be replaced
 */
async function formerFiles(name: string, count: number, opener: OutputOpener): Promise<string[]> {
  const folder = dirname(name)
  const [start, end] = aroundNumber(basename(name))
  const names = (await readdir(folder)).filter((each) => {
    if (!each.startsWith(start) || !each.endsWith(end)) return false
    const number = each.slice(start.length, each.length - end.length)
    return NUMBER.test(number) && Number(number) > count
  })
  const found = names.map((each) => join(folder, each))
  const kept = found.find((each) => !opener.mayReplace(each))
  if (kept === undefined) return found
  const message = `${kept}: expected no file of another archive that ${basename(name)} may continue in; --overwrite removes it`
  throw new CrawlerError('usage', message)
}

/** Returns the name of the `number`-th file: `site-00002.warc.gz` for the second one of `site.warc.gz`. */
function numberedName(name: string, number: number): string {
  return aroundNumber(name).join(String(number).padStart(DIGITS, '0'))
}

function aroundNumber(name: string): [start: string, end: string] {
  const [extension = ''] = EXTENSION.exec(name) ?? []
  return [`${name.slice(0, name.length - extension.length)}-`, extension]
}

function lastOf(files: readonly ArchiveFile[]): ArchiveFile {
  const last = files.at(-1)
  if (last === undefined) throw new Error('an archive has at least one file')
  return last
}
