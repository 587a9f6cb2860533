import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { HostWaitLog } from '../../../src/cluster/agent/host-wait-log.ts'
import { createLogger } from '../../../src/logger.ts'

/** Returns views of a job in which `active` hosts have URLs; `free` of them are not leased. */
const views = (active: number, free = 0) => [
  { added: 9, visits: 0, bytes: 0, orphans: 0, open: [[0, 1] as const], active, free },
]

async function open() {
  const stream = new PassThrough()
  const logger = await createLogger({ level: 'info', stream, pretty: false })
  const lines = () =>
    String(stream.read() ?? '')
      .split('\n')
      .filter(Boolean)
  return {
    log: new HostWaitLog(logger, 30_000),
    messages: () => lines().map((line): string => JSON.parse(line).msg),
  }
}

it('waiting some seconds for hosts that others lease is logged once, and so is its end', async () => {
  const { log, messages } = await open()
  log.update(0, views(1_234), 1_000)
  log.update(0, views(1_234), 5_999)
  expect(messages()).toEqual([])
  log.update(0, views(1_234), 6_000)
  log.update(0, views(1_234), 7_000)
  expect(messages()).toEqual([
    'Waiting for a host: other processes have all 1,234 hosts with URLs; a killed process keeps its hosts for up to 30 s (--lease)',
  ])
  // Another process leased the hosts that became free.
  log.update(0, views(1_234, 1), 20_000)
  log.update(0, views(1_234), 21_000)
  log.update(2, views(1_234), 24_500)
  log.update(2, views(1_234), 24_600)
  expect(messages()).toEqual(['Got a host after 23.5 s'])
  log.update(0, views(1), 30_000)
  expect(messages()).toEqual([])
  log.update(0, views(1), 35_000)
  expect(messages()).toEqual([expect.stringContaining('have the only host with URLs')])
})

it('nothing is logged while free hosts wait for their delay, or no host has URLs', async () => {
  const { log, messages } = await open()
  for (const now of [0, 4_000, 8_000]) log.update(0, views(3, 1), now)
  for (const now of [10_000, 20_000]) log.update(0, views(0), now)
  for (const now of [30_000, 40_000]) log.update(1, views(1), now)
  expect(messages()).toEqual([])
})
