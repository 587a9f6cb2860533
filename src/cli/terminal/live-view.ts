import type { Writable } from 'node:stream'
import type { RunningCrawl } from '../../crawl/start-crawl.ts'
import type { TextStream } from '../cli-context.ts'
import { frameLines, MAX_HOSTS } from './frame.ts'
import { RateMeter } from './rate-meter.ts'
import { Screen, terminalSize } from './screen.ts'

/** Milliseconds between two frames. */
const FRAME_MS = 250

/** Shows the progress of a crawl on a terminal. */
export class LiveView {
  readonly #terminal: TextStream
  readonly #screen: Screen
  readonly #rates = new RateMeter()
  readonly #redraw = () => this.#draw()
  #crawl: RunningCrawl | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(terminal: TextStream) {
    this.#terminal = terminal
    this.#screen = new Screen(terminal)
  }

  /** Returns a stream for other output to this terminal, which scrolls above the view. */
  above(stream: NodeJS.WritableStream): Writable {
    return this.#screen.above(stream)
  }

  begin(crawl: RunningCrawl): void {
    this.#crawl = crawl
    this.#timer = setInterval(this.#redraw, FRAME_MS)
    this.#terminal.on('resize', this.#redraw)
    this.#draw()
  }

  /** Removes the view. */
  end(): void {
    clearInterval(this.#timer)
    this.#terminal.off('resize', this.#redraw)
    this.#screen.draw([])
  }

  #draw(): void {
    if (this.#crawl === undefined) return
    const stats = this.#crawl.stats()
    const counts = stats.workers.map(({ fetched, failed }) => fetched + failed)
    const rates = this.#rates.next(stats.elapsedMs, [stats.visits, ...counts])
    const moment = { stats, rates, hosts: this.#crawl.hosts(MAX_HOSTS) }
    this.#screen.draw(frameLines(moment, terminalSize(this.#terminal)))
  }
}
