import {
  type Config,
  CrawlerError,
  createFileOutput,
  type FileOutput,
  NumberedOutput,
  type Outputs,
  positionIn,
  type StateDirectory,
  StreamOutput,
} from '../index.ts'

/** What a crawl writes to, and how to leave things as they were when it can't begin. */
interface OpenOutputs {
  readonly outputs: Outputs
  discard(): Promise<void>
}

/**
 * Opens what the settings name; a crawl that is resumed goes on where its files stood.
 * @throws CrawlerError
 */
export async function openOutputs(
  config: Config,
  stdout: NodeJS.WriteStream,
  directory: StateDirectory | undefined,
): Promise<OpenOutputs> {
  const { output, skipped } = config
  if (skipped === '-' || skipped === output) {
    const message = `--skipped: expected a file of its own, got \`${skipped}\``
    throw new CrawlerError('usage', message)
  }
  const files = new Files(config, directory)
  try {
    const visits = output === '-' ? new StreamOutput(stdout, 'stdout', false) : await files.visits()
    const opened =
      skipped === undefined ? { directory } : { directory, skipped: await files.skipped() }
    const written = directory?.saved?.ledger.tally.visits ?? 0
    const isCutBack = directory === undefined || ('isFile' in visits && visits.isFile)
    const outputs = { ...opened, visits: isCutBack ? visits : new NumberedOutput(visits, written) }
    return { outputs, discard: () => files.discard() }
  } catch (error) {
    await files.discard()
    throw error
  }
}

class Files {
  readonly #config: Config
  readonly #directory: StateDirectory | undefined
  readonly #files: FileOutput[] = []

  constructor(config: Config, directory: StateDirectory | undefined) {
    this.#config = config
    this.#directory = directory
  }

  visits(): Promise<FileOutput> {
    return this.#open('output', this.#config.output)
  }

  skipped(): Promise<FileOutput> {
    return this.#open('skipped', this.#config.skipped ?? '')
  }

  async discard(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.discard()))
  }

  async #open(setting: 'output' | 'skipped', name: string): Promise<FileOutput> {
    const { overwrite } = this.#config
    const directory = this.#directory
    const position = directory && positionIn(directory, this.#config, setting)
    const mayFill = directory !== undefined
    const file = await createFileOutput(name, { overwrite, mayFill, position })
    this.#files.push(file)
    return file
  }
}
