import type { ResponseHeaders } from '../../../../src/fetch/fetcher.ts'
import { type Callbacks, Llhttp, PAUSED } from './llhttp.ts'
import type { ReadResult } from './read-response.ts'

const CONTROL = /[^\t\x20-\x7e\x80-\xff]/

/** Reads one response with the parser of undici. */
class UndiciResponse implements Callbacks {
  readonly statuses: number[] = []
  headers: ResponseHeaders = {}
  #fields: string[] = []
  body = ''
  isKept = false
  isRead = false
  isRefused = false
  readonly #isHead: boolean

  constructor(isHead: boolean) {
    this.#isHead = isHead
  }

  onMessageBegin(): number {
    this.#fields = []
    return 0
  }

  onHeaderField(text: string): number {
    return this.#add(text, this.#fields.length % 2 === 1)
  }

  onHeaderValue(text: string): number {
    return this.#add(text, this.#fields.length % 2 === 0)
  }

  onHeadersComplete(status: number, isUpgrade: boolean, isKeptAlive: boolean): number {
    if (isUpgrade || this.#fields.some((text) => CONTROL.test(text))) return this.#refuse()
    this.statuses.push(status)
    this.headers = headersOf(this.#fields)
    this.isKept =
      isKeptAlive && !this.#isHead && !this.#mayHaveOddBody(status) && !this.#isGivenUpSoon
    return this.#isHead || status < 200 ? 1 : 0
  }

  onBody(text: string): number {
    this.body += text
    return 0
  }

  onMessageComplete(): number {
    if ((this.statuses.at(-1) ?? 0) < 200) return 0
    this.isRead = true
    return PAUSED
  }

  #add(text: string, isFurther: boolean): number {
    if (isFurther) this.#fields.push(`${this.#fields.pop() ?? ''}${text}`)
    else this.#fields.push(text)
    return 0
  }

  #mayHaveOddBody(status: number): boolean {
    if (status !== 204 && status !== 304) return false
    return Number(this.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in this.headers
  }

  get #isGivenUpSoon(): boolean {
    const keepAlive = [this.headers['keep-alive'] ?? ''].flat().join()
    const seconds = /(?:^|,)[\t ]*timeout=(\d+)/i.exec(keepAlive)?.[1]
    return seconds !== undefined && Number(seconds) <= 2
  }

  #refuse(): number {
    this.isRefused = true
    return -1
  }
}

/** Returns values without the white space that llhttp leaves at their ends. */
function headersOf(fields: readonly string[]): ResponseHeaders {
  const values = new Map<string, string[]>()
  for (let at = 0; at < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase()
    const value = (fields[at + 1] ?? '').replace(/[ \t]+$/, '')
    values.set(name, [...(values.get(name) ?? []), value])
  }
  const entries = [...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const)
  return Object.fromEntries(entries)
}

/** Reads the response to one request from pieces, and then the end of the connection. */
export function readWithLlhttp(pieces: readonly Buffer[], isHead: boolean): ReadResult {
  const response = new UndiciResponse(isHead)
  const parser = new Llhttp(response)
  let end: ReadResult['end']
  let read = 0
  for (const piece of pieces) {
    const [error, length] = parser.execute(piece)
    read += length
    if (error === 0) continue
    if (response.isRead) end = read
    else response.isRefused = true
    break
  }
  if (end === undefined && !response.isRefused && parser.finish() && response.isRead) {
    end = 'connection-end'
  }
  parser.free()
  const { statuses, headers, body, isKept, isRefused } = response
  return {
    statuses,
    headers,
    body,
    end,
    isKept,
    refused: isRefused ? 'invalid-response' : undefined,
  }
}
