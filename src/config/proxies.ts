import { CrawlerError } from '../errors.ts'
import { isProxyException, type ProxyRules } from '../fetch/proxy-rules.ts'
import { UrlWithPassword } from '../url/url-with-password.ts'
import type { Environment } from './environment.ts'
import { isProxyUrl, PROXY_FORM } from './value-schemas.ts'

/** The proxies of a crawl, with logins that are not shown. */
export interface Proxies extends Omit<ProxyRules, 'http' | 'https'> {
  readonly http?: UrlWithPassword | undefined
  readonly https?: UrlWithPassword | undefined
}

/** Returns one proxy for all sites; none without a URL. */
export function oneProxy(
  proxy: UrlWithPassword | undefined,
  except: readonly string[] = [],
): Proxies {
  return { http: proxy, https: proxy, except, exceptLoopback: false }
}

/**
 * Returns the proxies that the environment names, by the rules of curl: variables in lower case win, and `ALL_PROXY` is
 * used if the variable for http or https is missing. Invalid entries of `NO_PROXY` are ignored.
 * @param except hosts of `--noproxy`, in place of `NO_PROXY`
 * @throws CrawlerError('usage') if a variable is not the URL of a proxy
 */
export function environmentProxies(
  environment: Environment,
  except: readonly string[] | undefined,
): Proxies {
  const noProxy = readVariable('no_proxy', environment)?.value ?? ''
  return {
    http: readProxy(['http_proxy', 'all_proxy'], environment),
    https: readProxy(['https_proxy', 'all_proxy'], environment),
    except: except ?? noProxy.split(/[\s,]+/).filter(isProxyException),
    exceptLoopback: true,
  }
}

function readProxy(
  names: readonly string[],
  environment: Environment,
): UrlWithPassword | undefined {
  const [found] = names.flatMap((name) => readVariable(name, environment) ?? [])
  if (found === undefined) return undefined
  const { name, value } = found
  const url = value.includes('://') ? value : `http://${value}`
  if (isProxyUrl(url)) return new UrlWithPassword(url)
  throw new CrawlerError('usage', `${name}: expected ${PROXY_FORM}`)
}

function readVariable(lower: string, environment: Environment) {
  const upper = lower.toUpperCase()
  // In a program that a web server starts (CGI), HTTP_PROXY is the header `Proxy` of a client, so it is ignored.
  const isForged = lower === 'http_proxy' && environment['REQUEST_METHOD'] !== undefined
  const names = isForged ? [lower] : [lower, upper]
  return names
    .map((name) => ({ name, value: environment[name]?.trim() ?? '' }))
    .find(({ value }) => value !== '')
}
