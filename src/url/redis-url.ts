/** Description of a Redis URL, for messages. */
export const EXPECTED_REDIS_URL =
  'a URL such as redis://host:6379 or rediss://user:password@host:6380'

const DATABASE = 'with only the number of a database after the port, as in redis://host:6379/2'
/** Likely mistakes, and what to write instead. A part after the last `@` belongs to no password. */
const MISTAKES: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /^(?!rediss?:\/\/).*@/i,
    'beginning with redis:// or rediss://, and with %2C for a comma in a password',
  ],
  [/^(?!rediss?:\/\/)/i, 'beginning with redis:// or rediss://'],
  [/[?#][^@]*$/, DATABASE],
  [/(?:\/\/|@)[^@/]+\/[^@]+$/, DATABASE],
  [/:\d{5,}$/, 'with a port of at most 65535'],
  [/@/, 'with %2F for /, %3F for ? and %23 for # in a password'],
]

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

/**
 * Returns what is expected in place of a text that is not the URL of a Redis server, and the likely mistake. Shows
 * nothing of the text, which may contain a password.
 */
export function expectedRedisUrl(text: string): string {
  const mistake = MISTAKES.find(([pattern]) => pattern.test(text))?.[1]
  return mistake === undefined ? EXPECTED_REDIS_URL : `${EXPECTED_REDIS_URL}, ${mistake}`
}

/** Returns host and port, without user and password. */
export function redisAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || DEFAULT_PORT}`
}
