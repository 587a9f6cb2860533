import { readFileSync } from 'node:fs'
import type { Browser } from './browser.ts'

const CHECK_MS = 1_000

interface MemoryLimits {
  /** Bytes of a process that shows pages. A process that takes more is killed, with its pages. */
  readonly renderer: number
  /** Bytes of all processes of a browser. A browser that takes more gets no further pages. */
  readonly browser: number
}

const LIMITS: MemoryLimits = { renderer: 2 ** 30, browser: 3 * 2 ** 30 }

/** Limits the memory of a browser's processes, on systems that report it in /proc. */
export class ProcessGuard {
  readonly #browser: Pick<Browser, 'send'>
  readonly #onExcess: () => void
  readonly #limits: MemoryLimits
  readonly #timer: NodeJS.Timeout

  /** @param onExcess called when the browser should be replaced */
  constructor(browser: Pick<Browser, 'send'>, onExcess: () => void, limits = LIMITS) {
    this.#browser = browser
    this.#onExcess = onExcess
    this.#limits = limits
    this.#timer = setInterval(() => void this.#check(), CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async #check(): Promise<void> {
    const { processInfo } = await this.#browser
      .send('SystemInfo.getProcessInfo')
      .catch(() => ({ processInfo: [] }))
    let total = 0
    for (const { id, type } of processInfo) {
      const bytes = residentBytes(id)
      total += bytes
      if (type === 'renderer' && bytes > this.#limits.renderer) end(id)
    }
    if (total > this.#limits.browser) this.#onExcess()
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Returns the bytes of a process that it shares with no other; 0 if that isn't known. */
function residentBytes(pid: number): number {
  try {
    const [, kibibytes = 0] =
      /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) * 1_024
  } catch {
    return 0
  }
}
