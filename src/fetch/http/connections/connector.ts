import type { buildConnector } from 'undici'

/** Opens a socket to a server, with TLS if its protocol is `https:`. */
export type Connector = buildConnector.connector
export type ConnectorTarget = buildConnector.Options
