import { createPrivateKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { type Authority, type Certificate, makeAuthority } from '../support/certificates.ts'
import { startHttpProxy } from '../support/http-proxy.ts'
import { listen } from '../support/listen.ts'
import { runCrawl } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { startSocks5Server } from '../support/socks5-server.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()
const ONE = ['-q', '-d', '0', '--ignore-robots', '--retries', '0']

const httpProxy = async (options: Parameters<typeof startHttpProxy>[0] = {}) => {
  const proxy = await startHttpProxy(options)
  onTestFinished(() => proxy.close())
  return proxy
}

const pages = () => serve((_, response) => response.setHeader('content-type', 'text/html').end('x'))

/** Returns the URL of a site under a name that only a proxy resolves. */
const named = (site: { readonly url: string }, name = 'site.test') =>
  `${site.url.replace('127.0.0.1', name)}/`

describe('the proxy from the environment', () => {
  it('is used for all sites except its exceptions and this machine', async () => {
    const proxy = await httpProxy({ authorization: `Basic ${btoa('me:hunter2')}` })
    const site = await pages()
    const env = {
      http_proxy: proxy.url.replace('//', '//me:hunter2@'),
      NO_PROXY: 'example.org, direct.test',
    }
    const seeds = [named(site), `${site.url}/`, named(site, 'www.direct.test')]
    const pins = ['--resolve', `www.direct.test:${new URL(site.url).port}:127.0.0.1`]
    const run = await callCrawl([...seeds, ...pins, ...ONE], '', { env })
    expect(run.visits.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(proxy.requests).toEqual([`GET ${named(site)}`])
    expect(run.stdout + run.stderr).not.toContain('hunter2')
  })

  it('is overridden by --proxy, whose exceptions are those of --noproxy', async () => {
    const [proxy, other] = await Promise.all([httpProxy(), httpProxy()])
    const site = await pages()
    const env = { HTTP_PROXY: other.url, NO_PROXY: '*' }
    const flags = [...ONE, '--proxy', proxy.url, '--noproxy', '127.0.0.0/8,example.org']
    await callCrawl([named(site), `${site.url}/`, ...flags], '', { env })
    expect([...proxy.requests, ...other.requests]).toEqual([`GET ${named(site)}`])
  })

  it('is refused in one sentence if it is invalid', async () => {
    const run = await callCrawl(['http://127.0.0.1:9/', ...ONE], '', {
      env: { HTTPS_PROXY: 'gopher://me:hunter2@x' },
    })
    expect(run).toMatchObject({
      code: 2,
      stderr:
        'crawl: HTTPS_PROXY: expected a URL such as http://host:3128, https://host or socks5://host:1080\n',
    })
  })
})

describe('--resolve', () => {
  it('maps a name to an address, without a lookup', async () => {
    const site = await pages()
    const { port } = new URL(site.url)
    const pins = [
      '--resolve',
      'other.test:80:127.0.0.2',
      '--resolve',
      `site.test:${port}:127.0.0.1`,
    ]
    const { visits } = await callCrawl([named(site), ...pins, ...ONE])
    expect(visits).toMatchObject([{ url: named(site), status: 200 }])
    expect(site.requests[0]?.host).toBe(`site.test:${port}`)
  })

  it('opens no private address to links, only to seeds', async () => {
    const site = await serve((_, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<a href="${named(site, 'other.test')}">x</a>`),
    )
    const { port } = new URL(site.url)
    const pins = ['site.test', 'other.test'].flatMap((host) => [
      '--resolve',
      `${host}:${port}:127.0.0.1`,
    ])
    const how = ['-q', '-d', '1', '--ignore-robots', '--scope', 'any', ...pins]
    const { visits } = await callCrawl([named(site), ...how])
    expect(visits).toMatchObject([{ status: 200 }, { error: { code: 'private-address' } }])
    expect((await callCrawl([named(site), ...how, '--allow-private'])).visits).toMatchObject([
      { status: 200 },
      { status: 200 },
    ])
  })

  it('sends the mapped address to proxies, through a tunnel', async () => {
    const [proxy, socks] = await Promise.all([httpProxy(), startSocks5Server()])
    onTestFinished(() => socks.close())
    const site = await pages()
    const { port } = new URL(site.url)
    const pins = [...ONE, '--resolve', `site.test:${port}:127.0.0.7`]
    for (const { url } of [proxy, socks]) {
      const { visits } = await callCrawl([named(site), ...pins, '--proxy', url])
      expect(visits).toMatchObject([{ url: named(site), status: 200 }])
    }
    expect([...proxy.requests, ...socks.requests]).toEqual([
      `CONNECT 127.0.0.7:${port}`,
      `127.0.0.7:${port}`,
    ])
  })

  it('applies to the name of the proxy as well', async () => {
    const proxy = await httpProxy()
    const site = await pages()
    const { port } = new URL(proxy.url)
    const flags = [
      '--proxy',
      `http://proxy.test:${port}`,
      '--resolve',
      `proxy.test:${port}:127.0.0.1`,
    ]
    const { visits } = await callCrawl([named(site), ...ONE, ...flags])
    expect(visits).toMatchObject([{ status: 200 }])
  })

  it.each([
    'site.test',
    'site.test:80',
    'site.test:80:x',
    '127.0.0.1:80:127.0.0.2',
    'a:99999:127.0.0.1',
    // curl reads these two in other ways. As names of hosts they would have no effect.
    '*:80:127.0.0.1',
    '+site.test:80:127.0.0.1',
  ])('refuses %s', async (pin) => {
    const run = await callCrawl(['http://127.0.0.1:9/', '--resolve', pin])
    const form = 'host:port:address, such as example.com:443:127.0.0.1'
    expect(run).toMatchObject({
      code: 2,
      stderr: `crawl: --resolve: expected ${form}, got \`${pin}\`\n`,
    })
  })
})

describe('-4 and -6', () => {
  it('connect only to addresses of their family', async () => {
    const site = await pages()
    const { port } = new URL(site.url)
    const pins = [...ONE, '--resolve', `both.test:${port}:[::1],127.0.0.1`]
    const failed = {
      error: { code: 'dns-failure', message: expect.stringContaining('no address of IPv6') },
    }
    for (const [flag, host, expected] of [
      ['-4', 'both.test', { status: 200 }],
      ['-4', '127.0.0.1', { status: 200 }],
      ['-6', '127.0.0.1', failed],
    ] as const) {
      const { visits } = await callCrawl([named(site, host), ...pins, flag])
      expect(visits).toMatchObject([expected])
    }
    const only = ['--resolve', `four.test:${port}:127.0.0.1`]
    const { visits } = await callCrawl([named(site, 'four.test'), ...ONE, ...only, '--ipv6'])
    expect(visits).toMatchObject([failed])
  })

  it('exclude each other', async () => {
    const run = await callCrawl(['http://127.0.0.1:9/', '-4', '-6'])
    expect(run).toMatchObject({
      code: 2,
      stderr: 'crawl: expected one of --ipv4 and --ipv6, got both\n',
    })
  })
})

/** Serves a site over HTTPS for `host`, on loopback. Records the names in the certificates of its clients. */
async function serveTls(authority: Authority, host: string, asksClients = false) {
  const clients: string[] = []
  const tls = { ...(await authority.issue(host)), ca: authority.cert, requestCert: asksClients }
  const server = createServer({ ...tls, rejectUnauthorized: false }, ({ socket }, response) => {
    clients.push(nameOf(socket as TLSSocket))
    response.setHeader('content-type', 'text/html').end(`<a href="https://${other}/">x</a>`)
  })
  let other = ''
  const port = await listen(server)
  onTestFinished(() => void server.close().closeAllConnections())
  const linkTo = (place: string) => {
    other = place
  }
  return { clients, linkTo, place: `${host}:${port}`, pin: `${host}:${port}:127.0.0.1` }
}

function nameOf(socket: TLSSocket): string {
  return String(socket.getPeerCertificate()?.subject?.CN ?? '')
}

async function write(name: string, text: string): Promise<string> {
  await writeFile(path(name), text)
  return path(name)
}

describe('--cacert', () => {
  it("is trusted in addition to the system's authorities, through a proxy too", async () => {
    const authority = await makeAuthority()
    const site = await serveTls(authority, 'site.test')
    const seed = `https://${site.place}/`
    const flags = [...ONE, '--resolve', site.pin]
    expect((await callCrawl([seed, ...flags])).visits).toMatchObject([
      { error: { code: 'tls-failure' } },
    ])
    const cacert = ['--cacert', await write('ca.pem', `A corporation\n${authority.cert}`)]
    expect((await callCrawl([seed, ...flags, ...cacert])).visits).toMatchObject([{ status: 200 }])
    const proxy = ['--proxy', (await httpProxy()).url]
    const { visits } = await callCrawl([seed, ...ONE, ...cacert, ...proxy])
    expect(visits).toMatchObject([{ status: 200 }])
  })

  it('is trusted in addition to the authorities of OpenSSL, which the Node of some distributions uses', async () => {
    const authority = await makeAuthority()
    const site = await serveTls(authority, 'site.test')
    const other = await write('other.pem', (await makeAuthority()).cert)
    const run = await runCrawl(
      [`https://${site.place}/`, ...ONE, '--resolve', site.pin, '--cacert', other],
      {
        nodeArgs: ['--use-openssl-ca'],
        env: { SSL_CERT_FILE: await write('ca.pem', authority.cert) },
      },
    )
    expect(run.visits).toMatchObject([{ status: 200 }])
  })

  it("doesn't make a certificate valid for another name", async () => {
    const authority = await makeAuthority()
    const { place, pin } = await serveTls(authority, 'site.test')
    const cacert = ['--cacert', await write('ca.pem', authority.cert)]
    const pins = ['--resolve', pin.replace('site.test', 'other.test')]
    const seed = `https://${place.replace('site.test', 'other.test')}/`
    const { visits } = await callCrawl([seed, ...ONE, ...pins, ...cacert])
    expect(visits).toMatchObject([{ error: { code: 'tls-failure' } }])
  })
})

describe('--cert', () => {
  it("is sent to the seeds' origins and to no other", async () => {
    const authority = await makeAuthority()
    const [site, other] = await Promise.all([
      serveTls(authority, 'site.test', true),
      serveTls(authority, 'other.test', true),
    ])
    site.linkTo(other.place)
    const client = await authority.issue()
    const flags = [
      ...['-q', '-d', '1', '--ignore-robots', '--scope', 'any', '--allow-private', '-w', '1'],
      ...['--resolve', site.pin, '--resolve', other.pin],
      ...['--cacert', await write('ca.pem', authority.cert)],
      ...[
        '--cert',
        await write('client.pem', client.cert),
        '--key',
        await write('key.pem', client.key),
      ],
    ]
    const { visits } = await callCrawl([`https://${site.place}/`, ...flags])
    expect(visits.map(({ status }) => status)).toEqual([200, 200])
    expect([site.clients, other.clients]).toEqual([['client'], ['']])
  })

  it('may contain its key, with a passphrase from a file or the environment', async () => {
    const authority = await makeAuthority()
    const site = await serveTls(authority, 'site.test', true)
    const client = await authority.issue()
    const cipher = {
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'hunter2',
    } as const
    const key = createPrivateKey(client.key).export(cipher)
    const flags = [
      ...[`https://${site.place}/`, ...ONE, '--resolve', site.pin, '--insecure'],
      ...['--cert', await write('both.pem', `${client.cert}${key}`)],
    ]
    const file = await write('pass', 'hunter2\n')
    expect((await callCrawl([...flags, '--passphrase-file', file])).visits).toMatchObject([
      { status: 200 },
    ])
    const env = { CRAWL_KEY_PASSPHRASE: 'hunter2' }
    expect((await callCrawl(flags, '', { env })).visits).toMatchObject([{ status: 200 }])
    expect(site.clients).toEqual(['client', 'client'])
    expect(await callCrawl(flags)).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('both.pem')}: the key needs a passphrase: --passphrase-file, or CRAWL_KEY_PASSPHRASE\n`,
    })
    const wrong = await callCrawl([...flags, '--passphrase-file', await write('bad', 'other')])
    expect(wrong).toMatchObject({
      code: 2,
      stderr: `crawl: ${path('both.pem')}: wrong passphrase for the key\n`,
    })
  })
})

describe("a certificate file that can't be used", () => {
  const refusals: readonly (readonly [
    what: string,
    flags: (certificate: Certificate, other: Certificate) => Promise<readonly string[]>,
    message: string,
  ])[] = [
    [
      'a missing file',
      async () => ['--cacert', path('no.pem')],
      'no.pem: expected a file of certificates (PEM), got no file',
    ],
    [
      'no certificate',
      async ({ key }) => ['--cacert', await write('key.pem', key)],
      'key.pem: expected a file of certificates (PEM), got none',
    ],
    [
      'a damaged certificate',
      async ({ cert }) => [
        '--cacert',
        await write('bad.pem', cert.replace(/\n.{8}/, '\nAAAAAAAA')),
      ],
      "bad.pem: expected a file of certificates (PEM), got one that can't be parsed",
    ],
    [
      'no key',
      async ({ cert }) => ['--cert', await write('c.pem', cert)],
      'c.pem: expected a private key (PEM) as well, or --key',
    ],
    [
      'the key of another certificate',
      async ({ cert }, { key }) => [
        '--cert',
        await write('c.pem', cert),
        '--key',
        await write('k.pem', key),
      ],
      'k.pem: the key belongs to another certificate',
    ],
    [
      'a key without a certificate',
      async () => ['--key', path('k.pem')],
      'k.pem: expected --cert with --key, got none',
    ],
    [
      'a passphrase without a key, in a config file',
      async () => {
        const passphraseFile = path('passphrase')
        return ['--config', await write('c.json', JSON.stringify({ passphraseFile }))]
      },
      'passphrase: expected --cert with --passphrase-file, got none',
    ],
  ]

  let certificates: readonly [Certificate, Certificate]
  beforeAll(async () => {
    const authority = await makeAuthority()
    certificates = [await authority.issue(), await authority.issue()]
  })

  it.each(refusals)('is reported before the crawl starts: %s', async (_, flagsFor, message) => {
    const flags = await flagsFor(...certificates)
    const output = path(`${message.length}.jsonl`)
    const run = await callCrawl(['http://127.0.0.1:9/', ...flags, '-o', output])
    expect(existsSync(output)).toBe(false)
    expect(run).toMatchObject({ code: 2, stderr: `crawl: ${path('')}/${message}\n` })
  })
})

describe('--auth', () => {
  const basic = `Basic ${btoa('me:hunter2')}`

  async function serveLocked() {
    const site = await serve(({ headers }, response) => {
      response.writeHead(headers.authorization === basic ? 200 : 401, {
        'content-type': 'text/html',
      })
      response.end('x')
    })
    return { ...site, seed: `${site.url}/` }
  }

  it.each<[string, () => Promise<readonly string[]>, Record<string, string>]>([
    ['the command line', async () => ['--auth', 'me:hunter2'], {}],
    ['a file', async () => ['--auth-file', await write('auth', 'me:hunter2\n')], {}],
    ['the environment', async () => [], { CRAWL_AUTH: 'me:hunter2' }],
  ])('is taken from %s, and never printed', async (_, flagsFor, env) => {
    const site = await serveLocked()
    const flags = [...(await flagsFor()), '-d', '0', '--ignore-robots', '-vv']
    const run = await callCrawl([site.seed, ...flags], '', { env })
    expect(run.visits).toMatchObject([{ status: 200 }])
    expect(run.stdout + run.stderr).not.toMatch(/hunter2|bWU6aHVu/)
  })

  it('is not stored by --state, and is required again on resume', async () => {
    const site = await serveLocked()
    const flags = [
      '-d',
      '0',
      '-q',
      '--ignore-robots',
      '--state',
      path('state'),
      '-o',
      path('o.jsonl'),
    ]
    const auth = ['--auth', 'me:hunter2']
    expect(await callCrawl([site.seed, ...flags, ...auth])).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(path('state/crawl.sqlite'), 'latin1')).not.toMatch(/hunter2|bWU6aHVu/)
    const again = ['--state', path('state'), '--revisit-after', '1ms']
    expect(await callCrawl([...again, '-q'])).toMatchObject({
      code: 2,
      stderr:
        'crawl: --auth: expected user and password again, which are not stored, or --auth-file or CRAWL_AUTH\n',
    })
    const env = { CRAWL_AUTH: 'me:hunter2' }
    expect(await callCrawl([...again, '-q'], '', { env })).toMatchObject({ code: 0, stderr: '' })
  })

  it("is sent to the seeds' origins only, and the login in a seed takes precedence", async () => {
    const other = await serve((_, response) => response.end('x'))
    const site = await serve((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<a href="${other.url}/">x</a>`),
    )
    const own = await serve((_, response) => response.end('x'))
    const seeds = [`${site.url}/`, own.url.replace('//', '//you:pw@')]
    const flags = ['--auth', 'me:hunter2', '-q', '-d', '1', '--ignore-robots', '--scope', 'any']
    await callCrawl([...seeds, ...flags])
    const sent = [site, own, other].map(({ requests }) => requests[0]?.headers.authorization)
    expect(sent).toEqual([basic, `Basic ${btoa('you:pw')}`, undefined])
  })

  it.each([
    [['--auth', 'hunter2'], '--auth: expected user:password on one line'],
    [
      ['--auth', 'me:hunter2', '--auth-file', 'x'],
      'expected one of --auth and --auth-file, got both',
    ],
    [['--auth-file', '/nowhere/x'], '/nowhere/x: expected a file of user:password, got no file'],
  ])('is refused without its password: %j', async (flags, message) => {
    const run = await callCrawl(['http://127.0.0.1:9/', ...flags])
    expect(run).toMatchObject({ code: 2, stderr: `crawl: ${message}\n` })
  })
})
