import type { PipeConnection } from './pipe-connection.ts'

/** Maximum number of contexts that are kept while no page uses them. */
const MAX_IDLE = 4

/** A page that shows no document, and can be used. */
export interface IdlePage {
  readonly targetId: string
  readonly sessionId: string
  /** Number of times that the page was used. */
  uses: number
}

/** A context and its pages. */
interface Context {
  readonly id: Promise<string>
  readonly idle: IdlePage[]
  users: number
}

/** A context that is in use. */
interface TakenContext {
  readonly id: string
  /** Its pages that can be used again. */
  readonly idle: IdlePage[]
  release(): void
}

/** Keeps one context per host, so that no site sees the cookies, the storage or the cache of another. */
export class ContextPool {
  readonly #connection: PipeConnection
  /** Contexts by host. The one that was used last is at the end. */
  readonly #contexts = new Map<string, Context>()

  constructor(connection: PipeConnection) {
    this.#connection = connection
  }

  /** Returns the context of a host. The caller must release it. */
  async take(key: string): Promise<TakenContext> {
    const context = this.#contexts.get(key) ?? { id: this.#create(), idle: [], users: 0 }
    context.users++
    this.#contexts.delete(key)
    this.#contexts.set(key, context)
    const release = () => {
      context.users--
      this.#dispose()
    }
    try {
      return { id: await context.id, idle: context.idle, release }
    } catch (error) {
      this.#contexts.delete(key)
      throw error
    }
  }

  async #create(): Promise<string> {
    const options = { disposeOnDetach: true }
    const { browserContextId } = await this.#connection.send('Target.createBrowserContext', options)
    await this.#connection.send('Browser.setDownloadBehavior', {
      behavior: 'deny',
      browserContextId,
    })
    return browserContextId
  }

  #dispose(): void {
    const idle = [...this.#contexts].filter(([, { users }]) => users === 0)
    for (const [key, { id }] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      this.#contexts.delete(key)
      id.then((browserContextId) =>
        this.#connection.send('Target.disposeBrowserContext', { browserContextId }),
      ).catch(() => {})
    }
  }
}
