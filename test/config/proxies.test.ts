import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { environmentProxies } from '../../src/config/proxies.ts'

const read = (environment: Environment, except?: readonly string[]) => {
  const { http, https, ...rules } = environmentProxies(environment, except)
  return { http: http?.reveal(), https: https?.reveal(), ...rules }
}

describe('environmentProxies', () => {
  it.each<[string, Environment, object]>([
    ['neither', {}, { http: undefined, https: undefined }],
    [
      'one of each',
      { HTTP_PROXY: 'http://a:1', HTTPS_PROXY: 'https://b:2' },
      { http: 'http://a:1', https: 'https://b:2' },
    ],
    [
      'lower case before upper',
      { http_proxy: 'http://a', HTTP_PROXY: 'http://b' },
      { http: 'http://a' },
    ],
    [
      'an empty variable like none',
      { https_proxy: '', HTTPS_PROXY: 'http://b' },
      { https: 'http://b' },
    ],
    ['no scheme as http', { https_proxy: 'me:pw@a:3128' }, { https: 'http://me:pw@a:3128' }],
    [
      'one proxy for all schemes',
      { all_proxy: 'socks5h://a:9', HTTPS_PROXY: 'http://b' },
      { http: 'socks5h://a:9', https: 'http://b' },
    ],
    [
      'no HTTP_PROXY in a CGI program, where clients can set it',
      { HTTP_PROXY: 'http://a', REQUEST_METHOD: 'GET' },
      { http: undefined },
    ],
    [
      'exceptions',
      { no_proxy: 'a.test, 10.0.0.0/8\t*.b  :,/' },
      { except: ['a.test', '10.0.0.0/8', '*.b'] },
    ],
  ])('reads %s', (_, environment, expected) => {
    expect(read(environment)).toMatchObject({ exceptLoopback: true, ...expected })
  })

  it('replaces the exceptions of the environment by those of the user', () => {
    expect(read({ NO_PROXY: '*' }, ['a.test'])).toMatchObject({ except: ['a.test'] })
  })

  it('refuses an invalid proxy, without printing its password', () => {
    expect(() => read({ HTTPS_PROXY: 'ftp://me:hunter2@a' })).toThrow(
      /^HTTPS_PROXY: expected a URL such as http:\/\/host:3128, https:\/\/host or socks5:\/\/host:1080$/,
    )
  })
})
