import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { outputError } from '../../src/output/output-error.ts'
import { StreamOutput } from '../../src/output/stream-output.ts'
import { listen } from '../support/listen.ts'
import { until } from '../support/until.ts'

/** Returns two ends of a real connection. */
async function pair(): Promise<[ours: Socket, theirs: Socket]> {
  const server = createServer()
  const ours = connect(await listen(server), '127.0.0.1')
  const [theirs]: Socket[] = await once(server, 'connection')
  if (theirs === undefined) throw new Error('no connection')
  onTestFinished(() => {
    ours.destroy()
    theirs.destroy()
    server.close()
  })
  return [ours, theirs]
}

const silent = { drained() {}, closed() {}, failed() {} }

describe('StreamOutput', () => {
  it('is congested until a slow reader has caught up', async () => {
    const [ours, theirs] = await pair()
    const output = new StreamOutput(ours, 'a socket', false)
    const drained = Promise.withResolvers<void>()
    output.open({ ...silent, drained: drained.resolve })
    theirs.pause()
    for (let i = 0; i < 1_000 && !output.congested; i++) output.write(['x'.repeat(100_000)])
    expect(output.congested).toBe(true)
    theirs.resume()
    await drained.promise
    expect(output.congested).toBe(false)
  })

  it("has written everything after it was closed, and leaves a stream open that isn't its own", async () => {
    const [ours, theirs] = await pair()
    let received = 0
    theirs.on('data', (bytes: Buffer) => {
      received += bytes.length
    })
    const output = new StreamOutput(ours, 'a socket', false)
    output.open(silent)
    output.write(['x'.repeat(5_000_000)])
    await output.close()
    expect(ours.writable).toBe(true)
    ours.end()
    await once(theirs, 'end')
    expect(received).toBe(5_000_000)
  })

  it('reports once that the reader has left, and writes no more', async () => {
    const [ours, theirs] = await pair()
    const output = new StreamOutput(ours, 'a socket', false)
    let closed = 0
    const gone = Promise.withResolvers<void>()
    output.open({
      ...silent,
      closed() {
        closed++
        gone.resolve()
      },
    })
    theirs.resetAndDestroy()
    await once(ours, 'end').catch(() => {})
    const writing = setInterval(() => output.write(['more\n']), 1)
    await gone.promise
    clearInterval(writing)
    output.write(['and more\n'])
    await output.close()
    expect(closed).toBe(1)
    expect(output.congested).toBe(false)
  })

  it('reports that the reader has left by the error of Windows, which is no failure to write', async () => {
    const error = Object.assign(new Error('write EOF'), { code: 'EOF' })
    const stream = new Writable({ write: (_bytes, _encoding, done) => done(error) })
    const output = new StreamOutput(stream, 'stdout', false)
    const events: unknown[] = []
    output.open({
      ...silent,
      closed: () => void events.push('closed'),
      failed: (failure) => void events.push(failure),
    })
    output.write(['x'])
    await output.close()
    expect(events).toEqual(['closed'])
  })

  it('rejects sync after the reader has left, since its data is lost', async () => {
    const [ours, theirs] = await pair()
    const output = new StreamOutput(ours, 'a socket', false)
    const closed = Promise.withResolvers<void>()
    output.open({ ...silent, closed: closed.resolve })
    output.write(['x'])
    expect(await output.sync()).toEqual({})
    theirs.resetAndDestroy()
    const again = setInterval(() => output.write(['x']), 5)
    await closed.promise
    clearInterval(again)
    await expect(output.sync()).rejects.toMatchObject({ kind: 'output' })
  })

  it('rejects sync with the reason, even before the failed stream has reported it', async () => {
    const full = 'ENOSPC: no space left on device, write'
    const stream = new Writable({
      write: (_bytes, _encoding, done) => done(new Error(full)),
      // A file is closed before its stream reports an error.
      destroy: (error, done) => void setTimeout(done, 50, error),
    })
    const output = new StreamOutput(stream, 'site.wacz', true)
    output.open(silent)
    output.writeBytes(Buffer.from('x'))
    await until(() => stream.destroyed)
    const message = `site.wacz: can't be written: ${full}`
    await expect(output.sync()).rejects.toMatchObject({ kind: 'output', message })
  })
})

describe("the error for a file that can't be written", () => {
  it.each([
    ['EACCES', 'permission denied'],
    ['EPERM', 'operation not permitted'],
    ['EROFS', 'its file system is read-only'],
  ])('is a sentence instead of %s', (code, reason) => {
    const error = Object.assign(new Error(`${code}: ${reason}, open 'ro.jsonl'`), { code })
    expect(outputError('ro.jsonl', error)).toMatchObject({
      ...{ kind: 'output', message: `ro.jsonl: can't be written: ${reason}` },
    })
  })

  it("has the system's message if it isn't about permissions", () => {
    const message = 'EIO: i/o error, write'
    const error = Object.assign(new Error(message), { code: 'EIO' })
    expect(outputError('a', error).message).toBe(`a: can't be written: ${message}`)
  })
})
