import * as v from 'valibot'
import { CrawlerError } from '../errors.ts'
import { Secret } from '../secret.ts'
import type { Environment } from './environment.ts'
import { basicLogin } from './header-schemas.ts'
import { Logins } from './logins.ts'
import { environmentProxies } from './proxies.ts'
import type { Config } from './schema.ts'

/** Environment variable with user and password for the seeds' origins. */
const AUTH_VARIABLE = 'CRAWL_AUTH'
/** Environment variable with the passphrase of the private key. */
const PASSPHRASE_VARIABLE = 'CRAWL_KEY_PASSPHRASE'

/**
 * Returns settings with the logins, proxies and secrets of the environment added. Settings win over the environment.
 * @throws CrawlerError('usage') naming a variable that can't be used
 */
export function withEnvironment(config: Config, environment: Environment): Config {
  const { auth, authFile, noProxy, passphraseFile, proxy } = config
  const passphrase = environment[PASSPHRASE_VARIABLE]
  const isOpen = auth === undefined && authFile === undefined
  return new Logins(environment).fillAll({
    ...config,
    ...(isOpen && authFrom(environment)),
    ...(passphraseFile === undefined && passphrase && { passphrase: new Secret(passphrase) }),
    ...(proxy === undefined && { proxies: environmentProxies(environment, noProxy) }),
  })
}

function authFrom({ [AUTH_VARIABLE]: text = '' }: Environment): Pick<Config, 'auth'> {
  if (text === '') return {}
  const { success, output } = v.safeParse(basicLogin, text)
  if (success) return { auth: output }
  throw new CrawlerError('usage', `${AUTH_VARIABLE}: expected user:password on one line`)
}
