import * as v from 'valibot'
import { fileName } from '../file-name-schemas.ts'
import { setting } from '../setting.ts'
import { flag, pinnedAddresses, proxy, proxyExceptions } from '../value-schemas.ts'

/** Only the user decides where requests and secrets are sent, and which servers are trusted. */
const connection = { trust: 'given', decides: 'run' } as const

const file = () => v.optional(fileName('a file name'))

/** Settings of connections to sites, and of trust in servers. */
export const connectionSettings = {
  proxy: setting(
    {
      ...connection,
      flag: '--proxy <url>',
      help: 'send all requests through this http, https or socks5 proxy, whatever the environment says',
    },
    v.optional(proxy()),
  ),
  noProxy: setting(
    {
      ...connection,
      flag: '--noproxy <hosts>',
      list: 'commas',
      help: 'hosts, domains, addresses and networks to reach without a proxy; * stands for all',
    },
    v.optional(proxyExceptions()),
  ),
  resolve: setting(
    {
      ...connection,
      flag: '--resolve <host:port:address>',
      list: 'repeated',
      help: 'connect to this address for a host and port, without a name lookup',
    },
    v.optional(pinnedAddresses(), []),
  ),
  ipv4: setting(
    { trust: 'any', decides: 'run', flag: '-4, --ipv4', help: 'connect to IPv4 addresses only' },
    flag(),
  ),
  ipv6: setting(
    { trust: 'any', decides: 'run', flag: '-6, --ipv6', help: 'connect to IPv6 addresses only' },
    flag(),
  ),
  folder: setting(
    {
      trust: 'inside',
      decides: 'records',
      flag: '--folder <dir>',
      otherNames: ['--root-dir', '--serve', '--local', '--server-root', '--directory'],
      help: "take the seed's site from this folder instead of the network, such as the output of a site generator",
    },
    v.optional(fileName('the name of a folder')),
  ),
  cacert: setting(
    {
      ...connection,
      flag: '--cacert <file>',
      otherNames: ['--ca-certificate', '--ca-bundle'],
      help: 'also trust the certificates in this PEM file',
    },
    file(),
  ),
  cert: setting(
    {
      ...connection,
      flag: '--cert <file>',
      otherNames: ['--certificate', '--client-cert'],
      help: "show this client certificate (PEM) to the seeds' origins",
    },
    file(),
  ),
  key: setting(
    {
      ...connection,
      flag: '--key <file>',
      otherNames: ['--private-key'],
      defaultText: 'the file of --cert',
      help: 'private key of --cert (PEM)',
    },
    file(),
  ),
  passphraseFile: setting(
    {
      ...connection,
      flag: '--passphrase-file <file>',
      help: 'read the passphrase of --key from this file; or set CRAWL_KEY_PASSPHRASE',
    },
    file(),
  ),
  http1: setting(
    {
      ...connection,
      flag: '--http1',
      otherNames: ['--no-http2', '--http1.1', '--http1-only'],
      worker: true,
      help: 'use HTTP/1.1 only; otherwise servers may choose HTTP/2 over TLS',
    },
    flag(),
  ),
  insecure: setting(
    {
      ...connection,
      flag: '--insecure',
      otherNames: ['--no-check-certificate', '--no-verify', '--ignore-certificate-errors'],
      worker: true,
      help: 'accept any TLS certificate',
    },
    flag(),
  ),
  allowPrivate: setting(
    {
      ...connection,
      flag: '--allow-private',
      worker: true,
      help: 'fetch from private addresses, too; otherwise a private seed opens only its own host and port',
    },
    flag(),
  ),
}
