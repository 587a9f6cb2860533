import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-port=0'],
  ...['--disable-background-networking', '--disable-component-update'],
]

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

/** A page of a real Chromium, by the DevTools protocol. */
export class BrowserPage {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (message: Message) => void>()
  readonly #events: Message[] = []
  #listener: (() => void) | undefined
  #last = 0

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  /** URLs that the page requested, and all errors and warnings that it logged, since it was opened. */
  get traces(): { readonly requests: string[]; readonly complaints: string[] } {
    const of = (method: string) =>
      this.#events.filter((event) => event.method === method).map(({ params }) => params)
    const requests = of('Network.requestWillBeSent').map(
      (params) => Object(params?.['request']).url,
    )
    const complaints = [...of('Log.entryAdded'), ...of('Runtime.exceptionThrown')]
    return { requests, complaints: complaints.map((params) => JSON.stringify(params)) }
  }

  /** Opens a file, and waits until it is loaded. */
  async open(file: string): Promise<void> {
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await this.send(`${domain}.enable`)
    this.#events.length = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#listener = resolve
    await this.send('Page.navigate', { url: pathToFileURL(file).href })
    await promise
  }

  /** Returns the value of a JavaScript expression in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, returnByValue: true, awaitPromise: true }
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return Object(result).value
  }

  async send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    this.#last += 1
    const { promise, resolve } = Promise.withResolvers<Message>()
    this.#waiting.set(this.#last, resolve)
    this.#socket.send(JSON.stringify({ id: this.#last, method, params }))
    const { result, error } = await promise
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }

  #receive(message: Message): void {
    if (message.id !== undefined) this.#waiting.get(message.id)?.(message)
    else this.#events.push(message)
    if (message.method === 'Page.loadEventFired') this.#listener?.()
  }
}

/** Starts Chromium from the PATH. `close` ends it and removes its files. */
export async function startBrowser(): Promise<{ page: BrowserPage; close: () => Promise<void> }> {
  const profile = await mkdtemp(join(tmpdir(), 'orbweaver-chromium-'))
  const child = spawn('chromium', [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  const close = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
  for await (const line of createInterface(child.stderr)) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { page: await connect(port), close }
  }
  throw new Error('chromium ended before it listened')
}

async function connect(port: string): Promise<BrowserPage> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
  const targets = (await answer.json()) as { type: string; webSocketDebuggerUrl: string }[]
  const target = targets.find(({ type }) => type === 'page')
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  return new BrowserPage(socket)
}
