import { shortened } from '../printable-text.ts'
import type { ErrorCode } from '../records/error-code.ts'

/** The end of messages about bad certificates. */
export const INSECURE_HINT = '--insecure accepts any certificate'

/** Returns true if a message reports, or quotes, a bad certificate. The server speaks TLS then. */
export function isOfBadCertificate(message: string): boolean {
  return message.includes(INSECURE_HINT)
}

/** Maximum characters of a message, which may quote the server. */
const MAX_MESSAGE = 500

/** `transient` if a later attempt may succeed. */
export type Persistence = 'transient' | 'permanent'

/** A request that got no usable response. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly code: ErrorCode
  readonly #persistence: Persistence
  /** The status of a response that broke off or can't be decoded; undefined without a response. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, persistence: Persistence, status?: number) {
    super(shortened(message, MAX_MESSAGE))
    this.code = code
    this.#persistence = persistence
    this.status = status
  }

  /** True if a later attempt may succeed. */
  get isTransient(): boolean {
    return this.#persistence === 'transient'
  }

  /** True if the server sent no response in time. */
  get timedOut(): boolean {
    return this.code === 'timeout' && this.status === undefined
  }

  /** Returns this failure with the status of a response; 0 means that there was no response. */
  withStatus(status: number): FetchFailure {
    return new FetchFailure(this.code, this.message, this.#persistence, status || undefined)
  }
}
