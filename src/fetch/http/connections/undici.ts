import { createRequire } from 'node:module'
import { countReads, mendParser, type UndiciParser } from './mended-parser.ts'

const require = createRequire(import.meta.url)

/**
 * The parts of undici that are used here. Its entry would load fetch, WebSocket, caches and mocks
 * with them: five times as many files, in each worker, before the first request.
 */
const UndiciAgent: typeof import('undici').Agent = require('undici/lib/dispatcher/agent.js')
export type UndiciAgent = import('undici').Agent

export const buildConnector: typeof import('undici').buildConnector = require('undici/lib/core/connect.js')
export type Connector = import('undici').buildConnector.connector
export type ConnectorTarget = import('undici').buildConnector.Options

const { kParser, kSocket }: Readonly<Record<'kParser' | 'kSocket', symbol>> =
  require('undici/lib/core/symbols.js')

/**
 * Opens an agent whose connections parse responses with the fixes of `mendParser`.
 * @param onRead called with the number of bytes whenever a connection has read some
 */
export function openAgent(
  options: import('undici').Agent.Options,
  onRead?: (bytes: number) => void,
): UndiciAgent {
  return new UndiciAgent(options).on('connect', (_, dispatchers) => {
    const client = dispatchers.at(-1)
    const socket: unknown = client && Reflect.get(client, kSocket)
    const parser: unknown = isObject(socket) ? Reflect.get(socket, kParser) : undefined
    if (!isParser(parser)) throw new Error('this version of undici has another parser')
    mendParser(parser)
    if (onRead !== undefined) countReads(parser, onRead)
  })
}

function isParser(value: unknown): value is UndiciParser {
  return isObject(value) && 'onHeadersComplete' in value && 'createError' in value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
