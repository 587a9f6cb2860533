import type { Socket } from 'node:net'
import { FetchFailure } from '../../fetch-failure.ts'
import type { ConnectCallback } from './connector.ts'

/** Milliseconds after which the system tests whether a silent connection is still there. */
const TCP_KEEP_ALIVE_MS = 60_000

/**
 * Calls back once, when a socket has connected or failed to connect.
 * @param event the event of the socket after which it can be used
 * @param timeout milliseconds until the attempt fails
 */
export function reportConnection(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeout: number,
  callback: ConnectCallback,
): void {
  const late = () => {
    const message = `no connection within ${timeout} ms`
    socket.destroy(new FetchFailure('timeout', message, 'transient'))
  }
  const timer = setTimeout(late, timeout)
  let isReported = false
  const isFirst = () => {
    clearTimeout(timer)
    const isFirst = !isReported
    isReported = true
    return isFirst
  }
  socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS).setNoDelay(true)
  socket.once(event, () => isFirst() && callback(null, socket))
  socket.on('error', (error) => isFirst() && callback(error, null))
}
