import { hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { codeOf } from '../../errors.ts'
import { statusName } from '../../records/status-name.ts'
import { type BodyRequest, bodyNeeds } from '../body-needs.ts'
import type { FetchRequest, FetchResponse, GetRequest } from '../fetcher.ts'
import type { BackendOptions, FetcherBackend, PreparedRequest } from '../fetcher-backend.ts'
import { START_BYTES } from '../image-kind.ts'
import type { SiteFolder } from '../site-folder.ts'
import { sniffType } from '../sniff.ts'
import { findFile } from './find-file.ts'

/** A response, and the file of its body. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly type?: string | undefined
  readonly file?: { readonly name: string; readonly size: number }
}

const NO_BYTES = Buffer.alloc(0)
const NOT_FOUND: Answer = { status: 404, headers: {} }

/** Answers requests for a site from a folder, as a static web server would, and sends all others to the network. */
export class FolderFetcher implements FetcherBackend {
  readonly #base: string
  readonly #basePath: string
  readonly #folder: string
  /** The robots.txt of the whole site. If the folder contains only a part of the site, it has no robots.txt. */
  readonly #robots: string
  readonly #network: FetcherBackend
  readonly #options: BackendOptions

  constructor({ base, path }: SiteFolder, network: FetcherBackend, options: BackendOptions) {
    this.#base = base
    this.#basePath = new URL(base).pathname
    this.#folder = path
    this.#robots = new URL('/robots.txt', base).href
    this.#network = network
    this.#options = options
  }

  get(request: GetRequest, prepared: PreparedRequest): Promise<FetchResponse> {
    if (!this.#has(request.url)) return this.#network.get(request, prepared)
    return this.#respond(request, prepared, this.#options.archive)
  }

  head(request: FetchRequest, prepared: PreparedRequest): Promise<FetchResponse> {
    if (!this.#has(request.url)) return this.#network.head(request, prepared)
    const whole = this.#respond({ url: request.url, maxBody: 0 }, prepared, undefined)
    return whole.then((response) => ({ ...response, truncated: false }))
  }

  close(): Promise<void> {
    return this.#network.close()
  }

  #has(url: string): boolean {
    return url.startsWith(this.#base) || url === this.#robots
  }

  async #respond(
    request: BodyRequest,
    { headers, onHeaders }: PreparedRequest,
    archive: BackendOptions['archive'],
  ): Promise<FetchResponse> {
    const started = performance.now()
    const read = await this.#answer(request.url, headers['if-modified-since'])
      .then((answer) => this.#read(answer, request))
      .catch((error) => this.#read(refusal(error), request))
    onHeaders(read.headers)
    const response = { ...read, ms: performance.now() - started }
    const body = read.body.length > 0 ? read.body : undefined
    return {
      ...response,
      contentType: read.contentType ?? (body && { type: sniffType(body) }),
      body,
      bytes: read.received,
      endsEarly: false,
      exchange: archive?.(request.url, headers, response, undefined),
      release() {},
    }
  }

  /** @param knownDate the date of the version that the crawl has */
  async #answer(url: string, knownDate: string | undefined): Promise<Answer> {
    if (!url.startsWith(this.#base)) return NOT_FOUND
    const { origin, pathname, search } = new URL(url)
    const found = await findFile(this.#folder, pathname.slice(this.#basePath.length))
    if (found === 'nothing') return NOT_FOUND
    // The whole URL, since a path that begins with two slashes would lead to another host.
    if (found === 'folder')
      return { status: 301, headers: { location: `${origin}${pathname}/${search}` } }
    const date = found.stats.mtime.toUTCString()
    if (date === knownDate) return { status: 304, headers: { 'last-modified': date } }
    // Loaded when it is needed, since few crawls read folders.
    const { default: mime } = await import('mime')
    const type = mime.getType(found.name) ?? undefined
    const { size } = found.stats
    const headers = {
      'content-length': String(size),
      'last-modified': date,
      ...(type !== undefined && { 'content-type': type }),
    }
    return { status: 200, headers, type, file: { name: found.name, size } }
  }

  /** Reads the body of an answer, as far as it is needed. */
  async #read({ status, headers, file, type }: Answer, request: BodyRequest) {
    const contentType = type === undefined ? undefined : { type }
    const { digests = false, keepsStarts = false } = this.#options
    const { isKept, maxBody } = bodyNeeds(contentType, request, this.#options)
    const size = file?.size ?? 0
    const received = Math.min(size, maxBody)
    const isRead = file !== undefined && (isKept || digests || keepsStarts)
    const length = isKept || digests ? received : Math.min(received, START_BYTES)
    const bytes = isRead ? await readStart(file.name, length) : NO_BYTES
    return {
      ...{ status, headers, contentType, received, truncated: size > maxBody },
      head: { reason: statusName(status) ?? '', isHttp2: false, fields: fieldsOf(headers) },
      body: isKept ? bytes : NO_BYTES,
      digest: digests && !isKept ? hash('sha256', bytes) : undefined,
      start: keepsStarts ? bytes.subarray(0, START_BYTES) : undefined,
    }
  }
}

/** Returns the answer for a file that can't be read. A server with too many open files may answer later. */
function refusal(error: unknown): Answer {
  const isForbidden = ['EACCES', 'EPERM'].includes(codeOf(error))
  return { status: isForbidden ? 403 : 500, headers: {} }
}

function fieldsOf(headers: Answer['headers']): string[] {
  return Object.entries(headers).flat()
}

/** Returns the first bytes of a file, which may have become shorter. */
async function readStart(name: string, length: number): Promise<Buffer> {
  const handle = await open(name)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
