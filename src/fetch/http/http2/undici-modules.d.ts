/**
 * The modules of undici that are used here. Its entry point would also load fetch, WebSocket, caches and mocks: five
 * times as much code, in each worker, before the first request.
 */
declare module 'undici/lib/dispatcher/client.js' {
  const Client: typeof import('undici').Client
  type Client = import('undici').Client
  export default Client
}

declare module 'undici/lib/core/symbols.js' {
  const symbols: Readonly<Record<'kHTTP2Session' | 'kSocket', symbol>>
  export default symbols
}
