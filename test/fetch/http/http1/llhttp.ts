import { createRequire } from 'node:module'

/** The functions of llhttp that are used here. A parser is the address of its state. */
interface Exports {
  readonly memory: WebAssembly.Memory
  _initialize(): void
  malloc(bytes: number): number
  llhttp_alloc(type: number): number
  llhttp_free(parser: number): void
  llhttp_execute(parser: number, bytes: number, length: number): number
  llhttp_finish(parser: number): number
  llhttp_get_error_pos(parser: number): number
  llhttp_get_http_minor(parser: number): number
  llhttp_set_lenient_headers(parser: number, isOn: number): void
  llhttp_set_lenient_optional_cr_before_lf(parser: number, isOn: number): void
  llhttp_set_lenient_spaces_after_chunk_size(parser: number, isOn: number): void
}

/** Callbacks of a parser. They return what it does next, as undici's do. */
export interface Callbacks {
  onMessageBegin(): number
  onHeaderField(text: string): number
  onHeaderValue(text: string): number
  onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number
  onBody(text: string): number
  onMessageComplete(): number
}

const RESPONSE = 2
const OK = 0
export const PAUSED = 21
const MAX_BYTES = 64 * 1_024

const load = createRequire(import.meta.url)
const code: Buffer<ArrayBuffer> = load('undici/lib/llhttp/llhttp_simd-wasm.js')

let current: Callbacks | undefined
let wasm: Exports | undefined
let buffer = 0

/** Reads bytes with the parser of undici, which is set to be as lenient as ours. */
export class Llhttp {
  readonly #wasm = instance()
  readonly #parser: number
  readonly #callbacks: Callbacks

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks
    this.#parser = this.#wasm.llhttp_alloc(RESPONSE)
    this.#wasm.llhttp_set_lenient_headers(this.#parser, 1)
    this.#wasm.llhttp_set_lenient_optional_cr_before_lf(this.#parser, 1)
    this.#wasm.llhttp_set_lenient_spaces_after_chunk_size(this.#parser, 1)
  }

  /** Parses bytes. Returns the error, 0 if there is none, and the index after the last byte that was read. */
  execute(bytes: Buffer): readonly [error: number, end: number] {
    new Uint8Array(this.#wasm.memory.buffer, buffer).set(bytes)
    current = this.#callbacks
    const error = this.#wasm.llhttp_execute(this.#parser, buffer, bytes.length)
    current = undefined
    if (error === OK) return [OK, bytes.length]
    return [error, this.#wasm.llhttp_get_error_pos(this.#parser) - buffer]
  }

  /** Tells the parser that the connection has ended. Returns false if the response was incomplete. */
  finish(): boolean {
    current = this.#callbacks
    const error = this.#wasm.llhttp_finish(this.#parser)
    current = undefined
    return error === OK || error === PAUSED
  }

  free(): void {
    this.#wasm.llhttp_free(this.#parser)
  }
}

function instance(): Exports {
  wasm ??= open()
  return wasm
}

function open(): Exports {
  const text = (at: number, length: number) => {
    const { memory } = instance()
    return Buffer.from(new Uint8Array(memory.buffer, at, length)).toString('latin1')
  }
  const called = () => {
    if (current === undefined) throw new Error('no parser is at work')
    return current
  }
  const env = {
    wasm_on_url: () => 0,
    wasm_on_status: () => 0,
    wasm_on_message_begin: () => called().onMessageBegin(),
    wasm_on_header_field: (_: number, at: number, length: number) =>
      called().onHeaderField(text(at, length)),
    wasm_on_header_value: (_: number, at: number, length: number) =>
      called().onHeaderValue(text(at, length)),
    wasm_on_headers_complete: (_: number, status: number, upgrade: number, kept: number) =>
      called().onHeadersComplete(status, upgrade === 1, kept === 1),
    wasm_on_body: (_: number, at: number, length: number) => called().onBody(text(at, length)),
    wasm_on_message_complete: () => called().onMessageComplete(),
  }
  // The type of its constructor has no imports.
  const { exports }: WebAssembly.Instance = Reflect.construct(WebAssembly.Instance, [
    new WebAssembly.Module(code),
    { env },
  ])
  if (!isLlhttp(exports)) throw new Error('this version of undici has another parser')
  exports._initialize()
  buffer = exports.malloc(MAX_BYTES)
  return exports
}

function isLlhttp(exports: object): exports is Exports {
  return 'memory' in exports && 'llhttp_execute' in exports
}
