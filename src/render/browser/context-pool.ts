import type { CommandName, ParamsOf, ResultOf } from './protocol.ts'

/** Contexts that are kept while no page uses them. */
const MAX_IDLE = 4

type SendCommand = <Name extends CommandName>(
  method: Name,
  params?: ParamsOf<Name>,
) => Promise<ResultOf<Name>>

/** A page that shows nothing. */
export interface IdlePage {
  readonly targetId: string
  readonly sessionId: string
  /** How often it was used. */
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

/** One context for each host, so that no site sees the cookies, the storage or the cache of another. */
export class ContextPool {
  readonly #send: SendCommand
  /** The one that was used last comes last. */
  readonly #contexts = new Map<string, Context>()

  constructor(send: SendCommand) {
    this.#send = send
  }

  /** Returns the context of a host, to be released. */
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
    const { browserContextId } = await this.#send('Target.createBrowserContext', options)
    await this.#send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    return browserContextId
  }

  #dispose(): void {
    const idle = [...this.#contexts].filter(([, { users }]) => users === 0)
    for (const [key, { id }] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      this.#contexts.delete(key)
      id.then((browserContextId) =>
        this.#send('Target.disposeBrowserContext', { browserContextId }),
      ).catch(() => {})
    }
  }
}
