import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { OutageLog } from '../../../src/cluster/redis/outage-log.ts'
import { describeServerError } from '../../../src/cluster/redis/server-errors.ts'
import { createLogger } from '../../../src/logger.ts'

async function loggedOf(...errors: readonly string[]): Promise<string[]> {
  const stream = new PassThrough().setEncoding('utf8')
  const log = new OutageLog('a:1', await createLogger({ level: 'info', stream, pretty: false }))
  log.callWaits(performance.now())
  for (const error of errors) log.logReason(describeServerError(new Error(error)))
  const lines = String(stream.read() ?? '')
    .trimEnd()
    .split('\n')
  return lines.map((line) =>
    JSON.parse(line).msg.replace('; the crawl waits, and loses nothing', ''),
  )
}

it('an outage logs each reason to wait, also if two of them lack the same', async () => {
  const errors = ['connect ECONNREFUSED', 'LOADING Redis is loading', 'BUSY Redis is busy']
  expect(await loggedOf(...errors, ...errors)).toEqual([
    "Redis at a:1 can't be reached (connect ECONNREFUSED)",
    'Redis at a:1 is loading its data',
    'Redis at a:1 is busy with another script',
  ])
})

it('an outage logs a reason once, whatever its details', async () => {
  expect(await loggedOf('read ECONNRESET', 'connect ECONNREFUSED')).toEqual([
    "Redis at a:1 can't be reached (read ECONNRESET)",
  ])
  expect(await loggedOf('Socket timeout', 'Connection timeout')).toEqual([
    "Redis at a:1 doesn't answer (timeout)",
  ])
})
