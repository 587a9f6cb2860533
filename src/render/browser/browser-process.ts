import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { type BrowserSettings, browserFlags } from './browser-flags.ts'
import { createProfile, profilesFolder, removeProfile } from './browser-profile.ts'
import { PipeConnection } from './pipe-connection.ts'
import type { BrowserEvent } from './protocol.ts'

/** The user `nobody`. The sandbox refuses to start as root, and the browser never runs without it. */
const NOBODY = 65_534
/** Maximum characters of stderr that are kept, to report why the browser ended. */
const MAX_STDERR = 8_000
/** Milliseconds that the browser has to end by itself. */
const GRACE_MS = 2_000

const NO_SANDBOX =
  'its sandbox cannot start: allow unprivileged user namespaces, or install the package chromium-sandbox'

/** A browser to start. */
export interface BrowserSetup extends BrowserSettings {
  readonly path: string
}

/** A running browser, with a profile of its own. */
export class BrowserProcess {
  readonly connection: PipeConnection
  /** Resolves with the reason when the browser has ended. */
  readonly ended: Promise<string>
  readonly #child: ChildProcess
  readonly #profile: string
  #stderr = ''
  #isClosing = false

  /** @param onEvent called with each event of the browser and its pages */
  constructor({ path, ...settings }: BrowserSetup, onEvent: (event: BrowserEvent) => void) {
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
    this.#profile = createProfile(profilesFolder(tmpdir(), user), user)
    this.#child = spawn(path, browserFlags(this.#profile, settings), {
      ...user,
      cwd: this.#profile,
      // In its own process group, so that Ctrl-C reaches only the crawler, which closes the browser after its pages.
      detached: true,
      env: environment(this.#profile),
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    })
    this.ended = this.#watch()
    const [, , , input, output] = this.#child.stdio
    this.connection = new PipeConnection(
      input instanceof Writable ? input : new Writable(),
      output instanceof Readable ? output : new Readable(),
      onEvent,
      () => this.kill(),
    )
    void this.ended.then((reason) => {
      this.connection.close(reason)
      // A browser that crashed leaves processes behind, which write into the profile.
      this.kill()
      removeProfile(this.#profile, user)
    })
  }

  /** Asks the browser to end, and kills it if it doesn't end in time. */
  async close(): Promise<void> {
    this.#isClosing = true
    const timer = setTimeout(() => this.kill(), GRACE_MS)
    this.connection.send('Browser.close').catch(() => {})
    await this.ended
    clearTimeout(timer)
  }

  /** Kills the browser and all of its processes. */
  kill(): void {
    killGroup(this.#child)
  }

  #watch(): Promise<string> {
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-MAX_STDERR)
    })
    return new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('exit', (code, signal) => resolve(this.#reason(code, signal)))
    })
  }

  /** Returns why the browser ended: it has no sandbox, the last line that it logged as fatal, or its exit code. */
  #reason(code: number | null, signal: string | null): string {
    if (this.#isClosing) return 'the browser was closed'
    // Chromium's own advice is to turn its sandbox off.
    if (this.#stderr.includes('No usable sandbox')) return NO_SANDBOX
    const fatal = this.#stderr
      .split('\n')
      .findLast((line) => /FATAL|error while loading/.test(line))
    const message = fatal?.replace(/^\[[^\]]*\]\s*/, '').slice(0, 500)
    return message ?? `the browser ended with ${signal ?? `code ${code}`}`
  }
}

/** Kills a process, and all processes of its group. Windows has no groups: there, they end without their browser. */
export function killGroup(child: ChildProcess, platform = process.platform): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (platform === 'win32') child.kill('SIGKILL')
    else process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Returns the environment of the browser. It omits the user's other variables, which may be secrets. */
function environment(home: string): NodeJS.ProcessEnv {
  const { PATH, LANG = 'C.UTF-8', LD_LIBRARY_PATH } = process.env
  return {
    PATH,
    LANG,
    HOME: home,
    TMPDIR: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    ...(LD_LIBRARY_PATH !== undefined && { LD_LIBRARY_PATH }),
  }
}
