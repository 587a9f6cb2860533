import type { ErrorCode } from '../records/error-code.ts'

/** The end of messages of bad certificates. */
export const INSECURE = '--insecure accepts any certificate'

/** Returns whether a message, or one that quotes it, is that of a bad certificate: then the server speaks TLS. */
export function isOfBadCertificate(message: string): boolean {
  return message.includes(INSECURE)
}

/** A request that got no usable response. */
export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly code: ErrorCode
  /** True if a later attempt may succeed. */
  readonly isTransient: boolean
  /** The status of a response that broke off or can't be read; undefined without a response. */
  readonly status: number | undefined

  constructor(code: ErrorCode, message: string, isTransient: boolean, status?: number) {
    super(message)
    this.code = code
    this.isTransient = isTransient
    this.status = status
  }

  /** Returns the same failure of a response with this status; 0 stands for no response. */
  withStatus(status: number): FetchFailure {
    return new FetchFailure(this.code, this.message, this.isTransient, status || undefined)
  }
}
