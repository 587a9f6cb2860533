import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * The two parts of undici that are used here. Its entry would load fetch, WebSocket, caches and mocks
 * with them: five times as many files, in each worker, before the first request.
 */
export const Agent: typeof import('undici').Agent = require('undici/lib/dispatcher/agent.js')
export type Agent = import('undici').Agent

export const buildConnector: typeof import('undici').buildConnector = require('undici/lib/core/connect.js')
export type Connector = import('undici').buildConnector.connector
export type ConnectorTarget = import('undici').buildConnector.Options
