/** What went wrong, as far as the caller can act on it; the CLI maps each to an exit code. */
export type FailureKind = 'usage' | 'output' | 'state' | 'redis'

/** An error whose message is one clear sentence for the user: it is shown without a stack trace. */
export class CrawlerError extends Error {
  override readonly name = 'CrawlerError'
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Something that was read back is not as this program writes it: damaged, or changed by somebody else. */
export class DamageError extends Error {
  override readonly name = 'DamageError'
}

/** What whatever was thrown has to say. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
