import * as v from 'valibot'
import { HOMEPAGE, VERSION } from '../../version.ts'
import { fileName } from '../file-name-schemas.ts'
import { headerValue, httpsOrigin } from '../header-schemas.ts'
import { bandwidth, count, duration, rate, share } from '../quantity-schemas.ts'
import { record } from '../record-schema.ts'
import { setting } from '../setting.ts'
import { flag, hostName } from '../value-schemas.ts'

/** Identifies the crawler to a site's owner, with a link to its purpose and how to stop it. */
export const USER_AGENT = `orbweaver/${VERSION} (+${HOMEPAGE})`

/** Maximum of `--per-host`. */
export const MAX_PER_HOST = 10_000

const politeness = { trust: 'any', decides: 'politeness' } as const

/** Settings of how a crawl treats hosts. */
export const politenessSettings = {
  perHost: setting(
    {
      ...politeness,
      flag: '--per-host <n>',
      otherNames: [
        '--sockets',
        '--max-connections',
        '--max-connections-per-host',
        '--host-concurrency',
      ],
      help: 'requests in flight per host, all workers together',
    },
    v.optional(count(1, MAX_PER_HOST), 6),
  ),
  delay: setting(
    {
      ...politeness,
      flag: '--delay <duration>',
      otherNames: ['--wait', '--sleep', '--pause', '--crawl-delay', '--download-delay'],
      help: 'pause between two requests to a host; a longer Crawl-delay of robots.txt wins',
    },
    v.optional(duration(), '0'),
  ),
  hostDelay: setting(
    {
      ...politeness,
      flag: '--host-delay <host=duration>',
      separator: '=',
      otherNames: ['--delay-for', '--domain-delay', '--per-host-delay'],
      help: 'another delay for a host and its subdomains, such as example.com=5s',
    },
    v.optional(record(hostName(), duration(), 'an object of hosts and durations'), {}),
  ),
  jitter: setting(
    {
      ...politeness,
      flag: '--jitter <percent>',
      otherNames: ['--random-wait', '--random-delay', '--randomize-delay'],
      help: 'add up to this percentage to each pause, at random, such as 50%',
    },
    v.optional(share(10)),
  ),
  rate: setting(
    {
      ...politeness,
      flag: '--rate <n/s>',
      worker: true,
      otherNames: [
        '-rl',
        '--rate-limit',
        '--rps',
        '--max-rate',
        '--max-reqs-per-sec',
        '--requests-per-second',
        '--throttle',
        '--max-requests-per-minute',
        '--rate-limit-minute',
        '--request-rate',
      ],
      help: 'maximum requests per second of the whole crawl, all processes of a job together, such as 5/s or 5; also 30/m or 100/h',
    },
    v.optional(rate(10_000)),
  ),
  bandwidth: setting(
    {
      ...politeness,
      flag: '--bandwidth <size/s>',
      worker: true,
      otherNames: ['--limit-rate', '--max-bandwidth', '--max-speed', '--speed-limit', '--bwlimit'],
      help: 'maximum bytes per second that the whole crawl receives, such as 500k or 2M',
    },
    v.optional(bandwidth(1_000)),
  ),
  adaptive: setting(
    { ...politeness, flag: '--adaptive', help: 'adapt the pause to the latency of each host' },
    flag(),
  ),
  perIp: setting(
    { ...politeness, flag: '--per-ip', help: 'treat hosts at the same address as one host' },
    flag(),
  ),
  maxPerHost: setting(
    { ...politeness, flag: '--max-per-host <n>', help: 'maximum pages per host' },
    v.optional(count(1)),
  ),
  maxPerDomain: setting(
    {
      ...politeness,
      flag: '--max-per-domain <n>',
      help: 'maximum pages of all hosts of a registrable domain, such as example.com',
    },
    v.optional(count(1)),
  ),
  maxHostErrors: setting(
    {
      ...politeness,
      flag: '--max-host-errors <n>',
      help: 'skip a host after this many consecutive failures',
    },
    v.optional(count(1), 20),
  ),
  maxRetryAfter: setting(
    {
      ...politeness,
      flag: '--max-retry-after <duration>',
      worker: true,
      help: 'longest Retry-After to wait for; a URL with a longer one fails',
    },
    v.optional(duration(), '2m'),
  ),
  hostPatience: setting(
    {
      ...politeness,
      flag: '--host-patience <duration>',
      help: 'wait this long for a host that stops answering',
    },
    v.optional(duration(), '2m'),
  ),
  ignoreRobots: setting(
    {
      trust: 'any',
      decides: 'urls',
      flag: '--ignore-robots',
      otherNames: ['--no-robots', '--no-robots-txt', '--ignore-robots-txt'],
      worker: true,
      help: 'do not fetch or obey robots.txt',
    },
    flag(),
  ),
  // A resumed crawl may have another user agent. If that has another name for robots.txt, the rules are fetched again.
  userAgent: setting(
    {
      trust: 'any',
      decides: 'run',
      flag: '--user-agent <text>',
      worker: true,
      defaultText: 'orbweaver with its version and a link',
      help: 'User-Agent header, and the name looked up in robots.txt',
    },
    v.optional(v.pipe(headerValue, v.regex(/[A-Za-z_-]/, 'a name')), () => USER_AGENT),
  ),
  signingKey: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--signing-key <file>',
      help: 'sign each request with this Ed25519 private key (PEM), so that sites can verify who sends it (Web Bot Auth)',
    },
    v.optional(fileName('a file name')),
  ),
  signatureAgent: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--signature-agent <url>',
      help: 'with --signing-key: your site that publishes the public key, such as https://bot.example; the log says what to publish there',
    },
    v.optional(httpsOrigin()),
  ),
}
