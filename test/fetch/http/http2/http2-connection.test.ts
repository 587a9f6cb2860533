import { once } from 'node:events'
import { connect } from 'node:http2'
import { setImmediate } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { expect, it } from 'vitest'
import { Http2Connection } from '../../../../src/fetch/http/http2/http2-connection.ts'
import { serveByFrames } from '../../../support/http2-frames.ts'

it('the end of a connection is reported once Node has had time to read what arrived before', async () => {
  const { url } = await serveByFrames()
  const { hostname: host, port } = new URL(url)
  const trust = { rejectUnauthorized: false, ALPNProtocols: ['h2'] }
  const socket = connectSecurely({ host, port: Number(port), ...trust })
  await once(socket, 'secureConnect')
  const session = connect(url, { createConnection: () => socket })
  const none = () => {}
  const listeners = { onOpen: none, onEnd: none, onRead: undefined, onUnserved: none }
  new Http2Connection(session, socket, listeners)
  let isReported = false
  socket.on('end', () => {
    isReported = true
  })
  socket.emit('end')
  expect(isReported).toBe(false)
  await setImmediate()
  expect(isReported).toBe(true)
  session.destroy()
})
