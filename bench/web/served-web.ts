import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GeneratedWeb, type Place } from './generated-web.ts'
import { Truth } from './truth.ts'
import type { Command, ServerOptions, ServerReport } from './web-server.ts'

const SCRIPT = fileURLToPath(new URL('./web-server.ts', import.meta.url))

/** A web that a process of its own serves, and the expected outcomes of a crawl. */
export class ServedWeb {
  readonly web: GeneratedWeb
  readonly truth: Truth
  /** Path of a file with the seeds, one per line. */
  readonly seeds: string
  readonly #options: ServerOptions
  readonly #server: ChildProcess

  private constructor(options: ServerOptions, server: ChildProcess, folder: string, seeds: number) {
    this.web = new GeneratedWeb(options.web)
    const places: Place[] = Array.from({ length: seeds }, (_, host) => ({ host, page: 0 }))
    this.truth = new Truth(this.web, places)
    this.seeds = join(folder, 'seeds')
    writeFileSync(this.seeds, places.map((place) => this.web.urlOf(place)).join('\n'))
    this.#options = options
    this.#server = server
  }

  /** Starts the server, and resolves when it listens. The seeds are the root pages of the first hosts. */
  static async start(options: ServerOptions, folder: string, seeds: number): Promise<ServedWeb> {
    const server = fork(SCRIPT, [JSON.stringify(options)])
    server.once('exit', () => process.exit(1))
    await once(server, 'message')
    return new ServedWeb(options, server, folder, seeds)
  }

  /** Flags that are needed to crawl this web completely. */
  get flags(): readonly string[] {
    const { protocol } = this.#options
    return [
      ...['--seeds', this.seeds, '-d', 'unlimited', '--scope', 'any', '--allow-private', '-q'],
      ...(protocol === 'plain' ? [] : ['--insecure']),
    ]
  }

  async ask(command: Command): Promise<ServerReport> {
    this.#server.send(command)
    const [report] = await once(this.#server, 'message')
    return report
  }

  close(): void {
    this.#server.removeAllListeners('exit').disconnect()
  }
}
