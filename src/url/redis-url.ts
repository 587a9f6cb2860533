/** Description of a Redis URL, for messages. */
export const EXPECTED_REDIS_URL =
  'a URL such as redis://host:6379 or rediss://user:password@host:6380'

const DEFAULT_PORT = '6379'

/**
 * Returns whether a text is the URL of a Redis server, with TLS if its scheme is `rediss`. Parameters such as `?db=2`
 * are refused: only other programs obey them.
 */
export function isRedisUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    ['redis:', 'rediss:'].includes(url.protocol) &&
    url.hostname !== '' &&
    /^\/?\d*$/.test(url.pathname) &&
    !/[?#]/.test(text)
  )
}

/** Returns host and port, without user and password. */
export function redisAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || DEFAULT_PORT}`
}
