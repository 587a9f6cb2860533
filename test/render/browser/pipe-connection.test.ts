import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { PipeConnection } from '../../../src/render/browser/pipe-connection.ts'

it('the rest of a message that is too long is ignored', () => {
  const output = new PassThrough()
  const events: unknown[] = []
  let overflows = 0
  const onEvent = (event: unknown) => events.push(event)
  new PipeConnection(new PassThrough(), output, onEvent, () => overflows++)
  const event = { method: 'Page.loadEventFired', params: {} }
  output.emit('data', Buffer.from(`${JSON.stringify(event)}\0`))
  output.emit('data', Buffer.alloc(2 ** 27 + 1, 'x'))
  expect(() => output.emit('data', Buffer.from('rest"}\0'))).not.toThrow()
  expect(events).toEqual([event])
  expect(overflows).toBe(1)
})
