import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { PoolOptions } from '../../../../src/fetch/http/connection-pool.ts'
import { plainConnector } from '../../../../src/fetch/http/connections/direct-connector.ts'
import { KeptConnections } from '../../../../src/fetch/http/connections/kept-connections.ts'
import { sharedReads } from '../../../../src/fetch/http/connections/shared-read-buffer.ts'
import { tlsContexts } from '../../../../src/fetch/http/connections/tls-contexts.ts'
import { Http1Pool } from '../../../../src/fetch/http/http1/http1-pool.ts'

const OPTIONS = { timeout: 10_000, insecure: true, http2: false, tls: tlsContexts({}, []) }

/** Connects like the crawler, but to any address. */
export const connectAnywhere = sharedReads((onread) => plainConnector(OPTIONS, { onread }))

/** Opens a pool that is destroyed with the test, and lists the sockets that it has opened. */
export function openTestPool(options: Partial<PoolOptions> = {}) {
  const { connect = connectAnywhere, ...others } = options
  const sockets: Socket[] = []
  const pool = new Http1Pool({
    perOrigin: 1,
    kept: new KeptConnections(10),
    onRead: undefined,
    ...others,
    connect(target, callback) {
      connect(target, (...result) => {
        if (result[0] === null) sockets.push(result[1])
        callback(...result)
      })
    },
  })
  onTestFinished(() => pool.destroy())
  return { pool, sockets }
}
