/**
 * The modules of undici that are used here. Its entry would load fetch, WebSocket, caches and mocks with them: five
 * times as much, in each worker, before the first request.
 */
declare module 'undici/lib/dispatcher/agent.js' {
  const Agent: typeof import('undici').Agent
  export default Agent
}

declare module 'undici/lib/dispatcher/client.js' {
  const Client: typeof import('undici').Client
  export default Client
}

declare module 'undici/lib/dispatcher/pool.js' {
  const Pool: typeof import('undici').Pool
  export default Pool
}

declare module 'undici/lib/core/errors.js' {
  const errors: { readonly InformationalError: new (message: string) => Error }
  export default errors
}

declare module 'undici/lib/core/symbols.js' {
  const symbols: Readonly<Record<'kHTTP2Session' | 'kSize' | 'kSocket', symbol>>
  export default symbols
}
