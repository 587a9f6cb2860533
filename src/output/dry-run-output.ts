import type { Writable } from 'node:stream'
import { replaceControls } from '../printable-text.ts'
import { encodeLine } from '../records/json-line.ts'
import type { Skip } from '../records/skip.ts'
import type { Delivery } from '../records/visit-attachments.ts'
import type { VisitFields } from '../records/visit-record.ts'
import { disallowReason } from '../robots/disallow-reason.ts'
import type { Output, OutputEvents, Sink } from './output.ts'
import { StreamOutput } from './stream-output.ts'

/** The decision on a URL: the dry run fetched it or failed to, or a crawl would fetch it or skip it. */
type DryRunDecision = 'fetched' | 'failed' | 'crawl' | 'skip'

/** Writes a line for each URL that the dry run knows: what a crawl would do with it. */
export class DryRunOutput {
  readonly visits: Output
  readonly skipped: Sink
  readonly #stream: StreamOutput
  readonly #isJson: boolean
  readonly #listeners: OutputEvents[] = []
  readonly #counts: Record<DryRunDecision, number> = { fetched: 0, failed: 0, crawl: 0, skip: 0 }

  constructor(stdout: Writable, isJson: boolean) {
    this.#stream = new StreamOutput(stdout, 'stdout', false)
    this.#isJson = isJson
    this.skipped = this.#sink((line: string) => this.#skipLine(JSON.parse(line)))
    const visits = this.#sink(({ record }: Delivery) => this.#visitLine(record.fields))
    this.visits = Object.assign(visits, { finish: async () => {} })
  }

  /** A sentence with the number of URLs for each decision. */
  get total(): string {
    const { fetched, failed, crawl, skip } = this.#counts
    const read = failed === 0 ? `${fetched} fetched` : `${fetched} fetched, ${failed} failed`
    return `${read}; ${crawl} would be crawled next, ${skip} skipped; nothing was written`
  }

  /** Returns a destination that encodes its items and writes them to the shared stdout. */
  #sink<T>(encode: (item: T) => string) {
    const stream = this.#stream
    return {
      get congested() {
        return stream.congested
      },
      open: (events: OutputEvents) => this.#open(events),
      write: (items: readonly T[]) => stream.write(items.map(encode)),
      sync: () => stream.sync(),
      close: () => stream.close(),
    }
  }

  /** Opens a destination. The events of the stream are reported to all opened destinations. */
  #open(events: OutputEvents): void {
    this.#listeners.push(events)
    if (this.#listeners.length > 1) return
    this.#stream.open({
      drained: () => this.#listeners.forEach((each) => void each.drained()),
      closed: () => this.#listeners.forEach((each) => void each.closed()),
      failed: (error) => this.#listeners.forEach((each) => void each.failed(error)),
    })
  }

  #visitLine({ url, depth, via, hop, status, redirectsTo, error }: VisitFields): string {
    const decision = status === undefined ? 'failed' : 'fetched'
    this.#counts[decision]++
    if (this.#isJson)
      return encodeLine({ decision, url, depth, via, hop, status, redirectsTo, error })
    const facts = [redirectsTo && `redirects to ${redirectsTo}`, error?.code]
    return textLine(decision, status === undefined ? url : `${url}  ${status}`, facts)
  }

  #skipLine({ reason, ...skip }: Skip): string {
    const decision = reason === 'dry-run' ? 'crawl' : 'skip'
    this.#counts[decision]++
    if (this.#isJson) {
      return encodeLine({ decision, ...(decision === 'skip' && { reason }), ...skip })
    }
    const why = reason === 'dry-run' || reason === 'robots' ? undefined : reason
    return textLine(decision, skip.url, [why, robotsText(skip, decision)])
  }
}

function robotsText(
  { rule, line }: Omit<Skip, 'reason'>,
  decision: DryRunDecision,
): string | undefined {
  if (rule === undefined || line === undefined) return undefined
  if (decision === 'crawl') return `line ${line} of robots.txt allows ${rule}`
  return disallowReason({ allow: false, pattern: rule, line })
}

function textLine(
  decision: DryRunDecision,
  text: string,
  facts: readonly (string | undefined)[],
): string {
  const shown = facts.filter((fact) => fact !== undefined && fact !== '')
  const note = shown.length === 0 ? '' : `  (${shown.join('; ')})`
  return `${replaceControls(`${decision.padEnd(7)}  ${text}${note}`)}\n`
}
