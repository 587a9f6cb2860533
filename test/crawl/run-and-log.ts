import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import { startCrawl } from '../../src/crawl/start-crawl.ts'
import { TUNING, type Tuning } from '../../src/crawl/tuning.ts'
import { createLogger } from '../../src/logger.ts'
import type { Skip } from '../../src/records/skip.ts'
import type { Visit } from '../../src/records/visit.ts'
import type { Delivery } from '../../src/records/visit-attachments.ts'
import type { Positions } from '../../src/state/ledger.ts'

/** An output that collects what is written to it. */
class Kept<T> {
  readonly congested = false
  readonly all: T[] = []

  open(): void {}

  write(items: readonly (Delivery | string)[]): void {
    const lines = items.map((item) => (typeof item === 'string' ? item : item.record.line))
    this.all.push(...lines.map((line): T => JSON.parse(line)))
  }

  async sync(): Promise<Positions> {
    return {}
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {}
}

/**
 * Runs a crawl to its end. Returns its records, its skipped URLs, and the warnings of its log.
 * @param isOver stops the crawl if it returns true; called with each warning
 */
export async function runAndLog(
  config: ConfigInput,
  tuning: Partial<Tuning> = {},
  isOver: (warnings: readonly string[]) => boolean = () => false,
) {
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'warn', stream, pretty: false })
  const visits = new Kept<Visit>()
  const skipped = new Kept<Skip>()
  const settings = { ...TUNING, ...tuning }
  const crawl = startCrawl(resolveConfig(config), { visits, skipped }, logger, settings)
  const warnings: string[] = []
  const lines = createInterface({ input: stream }).on('line', (line) => {
    warnings.push(JSON.parse(line).msg)
    if (isOver(warnings)) crawl.stop()
  })
  const summary = await crawl.finished
  stream.end()
  await once(lines, 'close')
  return { visits: visits.all, skips: skipped.all, summary, warnings }
}
