import { CrawlerError } from '../errors.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import type { Environment } from './environment.ts'
import type { Config } from './schema.ts'
import { parseStoredSeeds, seedKey } from './stored-seeds.ts'

/** Environment variable with logins: URLs with user and password, separated by spaces. */
const VARIABLE = 'CRAWL_LOGINS'
const EXPECTED = `expected user and password again, which are not stored, in the URL or in ${VARIABLE}`

/** Logins by origin. */
export class Logins {
  readonly #byOrigin: ReadonlyMap<string, UrlWithPassword>

  /** @throws CrawlerError('usage') that does not repeat the wrong value */
  constructor({ [VARIABLE]: text = '' }: Environment) {
    const urls = text.split(/\s+/).filter((part) => part !== '')
    const logins = urls.map((url) => new UrlWithPassword(url))
    if (logins.some(({ hasLogin }) => !hasLogin)) {
      const expected = 'URLs such as https://user:password@example.com, separated by spaces'
      throw new CrawlerError('usage', `${VARIABLE}: expected ${expected}`)
    }
    this.#byOrigin = new Map(logins.map((login) => [login.origin, login]))
  }

  /** Returns a URL with the login for its origin, unless it has its own or none is known. */
  fill(url: UrlWithPassword): UrlWithPassword {
    const login = url.hasLogin ? undefined : this.#byOrigin.get(url.origin)
    return login === undefined ? url : url.withLoginOf(login)
  }

  /**
   * Returns settings with the logins added to their URLs.
   * @throws CrawlerError('usage') naming a URL that was stored or printed without its login
   */
  fillAll(config: Config): Config {
    const filled = {
      ...config,
      seeds: config.seeds.map((seed) => this.fill(seed)),
      frontier: config.frontier.map((server) => this.fill(server)),
      ...(config.proxy !== undefined && { proxy: this.fill(config.proxy) }),
      proxies: {
        ...config.proxies,
        http: config.proxies.http && this.fill(config.proxies.http),
        https: config.proxies.https && this.fill(config.proxies.https),
      },
    }
    const { seeds, frontier, proxies } = filled
    const used = [proxies.http ?? [], proxies.https ?? []]
    const lacking = [seeds, frontier, ...used].flat().find(({ lacksLogin }) => lacksLogin)
    if (lacking === undefined) return filled
    throw new CrawlerError('usage', `${lacking}: ${EXPECTED}`)
  }
}

/**
 * Checks that seeds still have the logins that the crawl began with: without them it would see
 * other pages.
 * @param before settings as stored
 * @throws CrawlerError('usage') naming a seed that had a login before and has none now, or --auth
 */
export function checkStoredLogins(
  before: Readonly<Record<string, unknown>>,
  { auth, authFile, seeds }: Pick<Config, 'auth' | 'authFile' | 'seeds'>,
): void {
  if (before['auth'] !== undefined && auth === undefined && authFile === undefined) {
    const expected =
      'expected user and password again, which are not stored, or --auth-file or CRAWL_AUTH'
    throw new CrawlerError('usage', `--auth: ${expected}`)
  }
  const kept = parseStoredSeeds(before['seeds']).filter((seed) => seed.lacksLogin || seed.hasLogin)
  const keys = new Map(kept.map((seed) => [seedKey(seed), seed]))
  for (const seed of seeds) {
    const had = seed.hasLogin ? undefined : keys.get(seedKey(seed))
    if (had !== undefined) throw new CrawlerError('usage', `${had}: ${EXPECTED}`)
  }
}
