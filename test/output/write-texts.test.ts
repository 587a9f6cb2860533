import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { devNull } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { openFileOutput } from '../../src/output/file-output.ts'
import { StreamOutput } from '../../src/output/stream-output.ts'
import { writeTexts } from '../../src/output/write-texts.ts'
import { listen } from '../support/listen.ts'

const MAX_TEXTS = 2_000
const NO_EVENTS = { closed() {}, failed() {} }

it('texts are generated only as fast as their reader takes them', async () => {
  const server = createServer({ pauseOnConnect: true })
  const connected = once(server, 'connection')
  const ours = connect(await listen(server), '127.0.0.1')
  const [theirs] = await connected
  onTestFinished(() => {
    ours.destroy()
    server.close()
  })
  let texts = 0
  const writing = writeTexts(new StreamOutput(ours, '-', true), generated(), NO_EVENTS)
  await setTimeout(100)
  expect(texts).toBeLessThan(MAX_TEXTS)
  theirs.resume()
  await writing
  expect(texts).toBe(MAX_TEXTS)

  function* generated() {
    for (; texts < MAX_TEXTS; texts++) yield 'x'.repeat(10_000)
  }
})

it('other events, such as signals, are handled before the first text', async () => {
  let events = 0
  const timer = setInterval(() => events++, 1)
  onTestFinished(() => clearInterval(timer))
  const file = await openFileOutput(devNull, {})
  onTestFinished(() => file.close())
  await writeTexts(file, working(), NO_EVENTS)
  expect(events).toBeGreaterThan(5)

  function* working() {
    for (const end = performance.now() + 500; performance.now() < end; ) yield ''
  }
})
