import { readCertificates } from '../../config/certificate-files.ts'
import type { Proxies } from '../../config/proxies.ts'
import type { Config } from '../../config/schema.ts'
import { readSigningIdentity } from '../../config/signing-identity.ts'
import { readSecretLine } from '../../config/small-file.ts'
import { CrawlerError } from '../../errors.ts'
import type { IpFamily } from '../../fetch/addresses/pinned-addresses.ts'
import type { ProxyRules } from '../../fetch/proxy-rules.ts'
import { type SiteFolder, siteFolderFor } from '../../fetch/site-folder.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { Secret } from '../../secret.ts'
import { parseSeed } from '../../url/seed.ts'

/** Settings of connections to sites, with secrets as plain text, since they are sent. */
export type ConnectionSetup = Pick<
  WorkerSetup,
  'certificates' | 'family' | 'headers' | 'proxies' | 'resolve' | 'signing' | 'siteFolder'
>

/**
 * Returns the settings of connections to sites, with the content of the files that the config names.
 * @throws CrawlerError('usage') for a file that can't be used
 */
export function connectionSetup(config: Config): ConnectionSetup {
  const { headers, proxies, resolve } = config
  const texts = Object.entries(headers).map(([name, value]) => [name, value.reveal()])
  return {
    resolve,
    certificates: readCertificates(config),
    family: familyOf(config),
    // A header of the user takes precedence.
    headers: { ...authorizationOf(config), ...Object.fromEntries(texts) },
    proxies: revealLogins(proxies),
    signing: readSigningIdentity(config),
    siteFolder: siteFolderOf(config),
  }
}

function siteFolderOf({ folder, seeds: [seed] }: Config): SiteFolder | undefined {
  if (folder === undefined || seed === undefined) return undefined
  return siteFolderFor(folder, parseSeed(seed.reveal()).url)
}

function familyOf({ ipv4, ipv6 }: Config): IpFamily | undefined {
  if (ipv4 && ipv6) throw new CrawlerError('usage', 'expected one of --ipv4 and --ipv6, got both')
  if (!ipv4 && !ipv6) return undefined
  return ipv4 ? 4 : 6
}

function authorizationOf(config: Config): Record<string, string> {
  const auth = authOf(config)
  if (auth === undefined) return {}
  return { authorization: `Basic ${Buffer.from(auth.reveal()).toString('base64')}` }
}

function authOf({ auth, authFile }: Config): Secret | undefined {
  if (authFile === undefined) return auth
  if (auth !== undefined) {
    throw new CrawlerError('usage', 'expected one of --auth and --auth-file, got both')
  }
  const line = readSecretLine(authFile, 'a file of user:password')
  if (line.reveal().includes(':')) return line
  throw new CrawlerError('usage', `${authFile}: expected user:password, got a line without a colon`)
}

function revealLogins({ http, https, ...rules }: Proxies): ProxyRules {
  return { ...rules, http: http?.reveal(), https: https?.reveal() }
}
