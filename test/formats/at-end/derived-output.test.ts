import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { DerivedOutput } from '../../../src/formats/at-end/derived-output.ts'
import { OutputOpener } from '../../../src/output/output-opener.ts'
import { listen } from '../../support/listen.ts'

const MAX_TEXTS = 10_000

/** Generates texts into a destination. Returns their number, and the events of the output. */
async function generate(name: string, stdout: Writable) {
  const columns = { template: undefined, chosenFields: undefined, fieldNames: [] }
  const opener = new OutputOpener({
    ...columns,
    groupFields: new Map(),
    stdout,
    hasColors: false,
    overwrite: true,
    splitWarc: undefined,
    warcDedup: [],
    merged: (url) => url,
    directory: undefined,
    isOfJob: false,
  })
  onTestFinished(() => opener.close())
  let texts = 0
  const sink = await opener.openSink(name)
  const output = new DerivedOutput(name, sink, opener.visits, function* () {
    for (; texts < MAX_TEXTS; texts++) yield 'x'.repeat(10_000)
  })
  const reports: string[] = []
  output.open({
    drained() {},
    closed: () => reports.push('closed'),
    failed: ({ message }) => reports.push(message),
  })
  await output.finish().catch(() => {})
  return { texts, reports }
}

it('derived output generates nothing more after the reader has left', async () => {
  const server = createServer((theirs) => theirs.destroy())
  onTestFinished(() => void server.close())
  const ours: Socket = connect(await listen(server), '127.0.0.1')
  await once(ours, 'connect')
  const { texts, reports } = await generate('-', ours)
  expect(reports).toEqual(['closed'])
  expect(texts).toBeLessThan(MAX_TEXTS / 10)
})

it.runIf(existsSync('/dev/full'))(
  'derived output generates nothing more after the disk is full',
  async () => {
    const { texts, reports } = await generate('/dev/full', process.stdout)
    expect(reports).toEqual([expect.stringContaining("/dev/full: can't be written: ENOSPC")])
    expect(texts).toBeLessThan(MAX_TEXTS / 10)
  },
)
