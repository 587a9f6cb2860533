import { setImmediate as turn } from 'node:timers/promises'
import type { OutputEvents } from './output.ts'
import type { StreamOutput } from './stream-output.ts'

/** Time after which other events get a turn, in milliseconds. */
const LONG_MS = 20

/**
 * Opens a sink and writes texts to it, as fast as it accepts them, so that they don't pile up in memory. Signals, the
 * log and the live view get their turns meanwhile; `texts` may yield empty texts for that purpose during other work.
 * Stops when the sink is closed or fails.
 */
export async function writeTexts(
  sink: StreamOutput,
  texts: Iterable<string>,
  events: Omit<OutputEvents, 'drained'>,
): Promise<void> {
  let wake: (() => void) | undefined
  let isEnded = false
  const end = (notify: () => void) => {
    isEnded = true
    wake?.()
    notify()
  }
  sink.open({
    drained: () => wake?.(),
    closed: () => end(() => events.closed()),
    failed: (error) => end(() => events.failed(error)),
  })
  let start = performance.now()
  for (const text of texts) {
    if (text !== '') sink.write([text])
    const isLate = performance.now() - start > LONG_MS
    if (sink.congested) await new Promise<void>((resolve) => (wake = resolve))
    else if (isLate) await turn()
    if (isLate) start = performance.now()
    if (isEnded) break
  }
}
