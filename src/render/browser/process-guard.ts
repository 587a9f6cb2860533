import { readFileSync } from 'node:fs'
import type { Browser } from './browser.ts'

const CHECK_MS = 1_000
/** Bytes of a process that shows pages. A process that takes more is killed, with its pages. */
const MAX_RENDERER = 2 ** 30
/** Bytes of all processes of a browser. A browser that takes more gets no further pages. */
const MAX_BROWSER = 3 * 2 ** 30

/** Limits the memory of a browser's processes, on systems that report it in /proc. */
export class ProcessGuard {
  readonly #browser: Browser
  readonly #onExcess: () => void
  readonly #timer: NodeJS.Timeout

  /** @param onExcess called when the browser should be replaced */
  constructor(browser: Browser, onExcess: () => void) {
    this.#browser = browser
    this.#onExcess = onExcess
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
      if (type === 'renderer' && bytes > MAX_RENDERER) end(id)
    }
    if (total > MAX_BROWSER) this.#onExcess()
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
