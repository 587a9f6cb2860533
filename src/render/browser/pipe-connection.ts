import type { Readable, Writable } from 'node:stream'
import type { BrowserEvent, CommandName, ParamsOf, ResultOf } from './protocol.ts'

/** Maximum bytes of a message. The results of harvest scripts have lower limits. */
const MAX_MESSAGE = 2 ** 27

/** A command that waits for its result. */
interface PendingCommand {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

/** A message of the browser: the result of a command, or an event. */
type IncomingMessage =
  | { readonly id: number; readonly result?: unknown; readonly error?: { message: string } }
  | BrowserEvent

/** Thrown when the browser can't carry out a command, or is gone. */
export class ProtocolError extends Error {
  /** True if the browser is gone. */
  readonly isFinal: boolean

  constructor(message: string, isFinal = false) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Implements the DevTools protocol over the pipes of `--remote-debugging-pipe`: JSON messages that end with NUL. */
export class PipeConnection {
  readonly #input: Writable
  readonly #onEvent: (event: BrowserEvent) => void
  readonly #onOverflow: () => void
  readonly #pending = new Map<number, PendingCommand>()
  #parts: Buffer[] = []
  #size = 0
  #hasOverflowed = false
  #lastId = 0
  #failure: ProtocolError | undefined

  /** @param onOverflow called when a message is too long, after which the browser can't be used any more */
  constructor(
    input: Writable,
    output: Readable,
    onEvent: (event: BrowserEvent) => void,
    onOverflow: () => void,
  ) {
    this.#input = input
    this.#onEvent = onEvent
    this.#onOverflow = onOverflow
    output.on('data', (chunk: Buffer) => this.#receive(chunk))
    // The exit of the process shows why the pipe broke.
    output.on('error', () => {})
    input.on('error', () => {})
  }

  /**
   * Sends a command, to the browser or to the target of a session.
   * @throws ProtocolError
   */
  send<Name extends CommandName>(
    method: Name,
    params?: ParamsOf<Name>,
    sessionId?: string,
  ): Promise<ResultOf<Name>> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const id = ++this.#lastId
    return new Promise<ResultOf<Name>>((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject })
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
  }

  /** Fails all commands that have no result, and all later ones. */
  close(reason: string): void {
    this.#failure ??= new ProtocolError(reason, true)
    for (const { reject } of this.#pending.values()) reject(this.#failure)
    this.#pending.clear()
  }

  #receive(chunk: Buffer): void {
    // Of a message that was too long, the rest may still arrive.
    if (this.#hasOverflowed) return
    let start = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...this.#parts, chunk.subarray(start, end)]).toString()
      this.#parts = []
      this.#size = 0
      start = end + 1
      this.#take(JSON.parse(message))
    }
    if (start === chunk.length) return
    this.#parts.push(chunk.subarray(start))
    this.#size += chunk.length - start
    if (this.#size > MAX_MESSAGE) this.#overflow()
  }

  #overflow(): void {
    this.#parts = []
    this.#hasOverflowed = true
    this.#onOverflow()
  }

  #take(message: IncomingMessage): void {
    if (!('id' in message)) {
      this.#onEvent(message)
      return
    }
    const command = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error === undefined) command?.resolve(message.result)
    else command?.reject(new ProtocolError(`${command.method}: ${message.error.message}`))
  }
}
