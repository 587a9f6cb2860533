import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  lookUpName,
  NameLookup,
  parseHosts,
  parseResolvConf,
} from '../../src/runtime/dns-lookup.ts'
import {
  answerNames,
  type DnsServer,
  type KnownName,
  startDnsServer,
} from '../support/dns-server.ts'
import { freePort } from '../support/listen.ts'

const IPV6 = [0x20, 1, 0xd, 0xb8, ...Array<number>(11).fill(0), 1]
/** Time to live of the server's records, in seconds. */
const TTL = 60
const four = (address: string) => ({ address, family: 4, ttl: TTL })
const OF_SYSTEM = { address: '192.0.2.255', family: 4 }

let server: DnsServer
beforeAll(async () => {
  server = await startDnsServer({
    'both.test': { A: [[192, 0, 2, 1]], AAAA: [IPV6] },
    'four.test': {
      A: [
        [192, 0, 2, 1],
        [192, 0, 2, 2],
      ],
    },
    'six.test': { AAAA: [IPV6] },
    'half.test': { A: [[192, 0, 2, 1]], AAAA: 'silent' },
    'half-failed.test': { A: 'failed', AAAA: [IPV6] },
    'none.test': {},
    'alias.test': { A: 'alias', AAAA: 'alias' },
    'half-alias.test': { A: 'failed', AAAA: 'alias' },
    'silent.test': { A: 'silent', AAAA: 'silent' },
    'failed.test': { A: 'failed', AAAA: 'failed' },
    'half-unknown.test': { AAAA: 'failed' },
    'many.test': { A: Array.from({ length: 100 }, (_, index) => [10, 0, 0, index]) },
    'db.prod.cluster.test': { A: [[10, 1, 1, 1]] },
    'mine.test': { A: [[10, 1, 1, 1]] },
  })
})
afterAll(() => server.close())

const requested: string[] = []
const services = {
  hosts: new Set(['mine.test']),
  search: [] as readonly string[],
  dots: 1,
  async system(hostname: string) {
    requested.push(hostname)
    return [OF_SYSTEM]
  },
}
const open = (changes = {}) => new NameLookup({ ...services, servers: [server.server], ...changes })

describe('a host name', () => {
  it('is resolved to both address families', async () => {
    expect(await open().find('both.test')).toEqual([
      four('192.0.2.1'),
      { address: '2001:db8::1', family: 6, ttl: TTL },
    ])
    expect(await open().find('four.test')).toEqual([four('192.0.2.1'), four('192.0.2.2')])
    expect(await open().find('six.test')).toEqual([{ address: '2001:db8::1', family: 6, ttl: TTL }])
  })

  it.each(['half.test', 'half-failed.test'])(
    'is resolved if the server fails for one family: %s',
    async (name) => {
      expect(await open().find(name)).toHaveLength(1)
    },
  )

  it.each([
    ['ENOTFOUND', 'missing.test'],
    ['ENOTFOUND', 'none.test'],
    ['ENOTFOUND', 'alias.test'],
    ['EAI_AGAIN', 'half-alias.test'],
    ['EAI_AGAIN', 'failed.test'],
    // It may have addresses of the other family.
    ['EAI_AGAIN', 'half-unknown.test'],
  ])('fails with %s: %s', async (code, hostname) => {
    await expect(open().find(hostname)).rejects.toMatchObject({ code, hostname })
  })

  it.each([
    ['an alias without any', 'alias', []],
    ['its IPv6 addresses', [IPV6], [{ address: '2001:db8::1', family: 6, ttl: TTL }]],
  ] as const)('has the IPv4 addresses that arrive long after %s', async (_, AAAA, six) => {
    const known = (_: string, type: string): KnownName =>
      type === 'A' ? { A: [[192, 0, 2, 1]], after: 400 } : { AAAA }
    const socket = await answerNames(known, { address: '127.0.0.1', port: 0 })
    const servers = [`127.0.0.1:${socket.address().port}`]
    expect(await open({ servers }).find('slow.test')).toEqual([four('192.0.2.1'), ...six])
    socket.close()
  })

  it('has the IPv6 addresses that arrive long after its IPv4 addresses, if only they are used', async () => {
    const known = (_: string, type: string): KnownName =>
      type === 'A' ? { A: [[192, 0, 2, 1]] } : { AAAA: [IPV6], after: 400 }
    const socket = await answerNames(known, { address: '127.0.0.1', port: 0 })
    const servers = [`127.0.0.1:${socket.address().port}`]
    const six = { address: '2001:db8::1', family: 6, ttl: TTL }
    expect(await open({ servers }).find('slow.test', { family: 4 })).not.toContainEqual(six)
    expect(await open({ servers }).find('slow.test', { family: 6 })).toContainEqual(six)
    socket.close()
  })

  it("doesn't delay others if its server is silent", async () => {
    const names = open({ timeout: 2_000 })
    let isDone = false
    const silent = Array.from({ length: 20 }, () =>
      names.find('silent.test').catch((error) => {
        isDone = true
        return error.code
      }),
    )
    expect(await names.find('four.test')).toHaveLength(2)
    expect(isDone).toBe(false)
    expect(new Set(await Promise.all(silent))).toEqual(new Set(['EAI_AGAIN']))
  }, 30_000)

  it('has at most 32 addresses', async () => {
    expect(await open().find('many.test')).toHaveLength(32)
  })
})

describe("the system's resolver", () => {
  it.each(['localhost', 'a.localhost', 'printer', 'printer.local', 'mine.test', 'MINE.test'])(
    'is used for names outside of DNS: %s',
    async (name) => {
      expect(await open().find(name)).toEqual([OF_SYSTEM])
    },
  )

  it("is used for names that the user gave, and that DNS doesn't know", async () => {
    expect(await open().find('missing.test', { isGiven: true })).toEqual([OF_SYSTEM])
    expect(await open().find('four.test', { isGiven: true })).toHaveLength(2)
    await expect(open().find('failed.test', { isGiven: true })).rejects.toMatchObject({
      code: 'EAI_AGAIN',
    })
  })

  it('is used if no DNS server responds', async () => {
    const servers = [`127.0.0.1:${await freePort()}`]
    expect(await open({ servers }).find('four.test')).toEqual([OF_SYSTEM])
  })
})

it.each(['a.b.localhost', 'localhost.'])('%s is this machine, as in browsers', async (name) => {
  expect(await lookUpName(name)).toEqual(await lookUpName('localhost'))
})

describe('a short name', () => {
  const search = ['elsewhere.test', 'cluster.test']

  it('is searched for in the domains of the system', async () => {
    expect(await open({ search }).find('db.prod')).toEqual([four('10.1.1.1')])
  })

  it('is searched for there first if it has few dots', async () => {
    const from = server.queries.length
    await open({ search, dots: 5 }).find('db.prod')
    expect(server.queries.slice(from)).not.toContain('db.prod A')
    await open({ search, dots: 5 }).find('four.test.')
    expect(server.queries.slice(from)).not.toContain('four.test.cluster.test A')
  })

  it("that doesn't exist fails with its own name", async () => {
    const failure = { code: 'ENOTFOUND', hostname: 'a.b' }
    await expect(open({ search }).find('a.b')).rejects.toMatchObject(failure)
  })
})

describe('resolv.conf', () => {
  it.each([
    ['', { search: [], dots: 1 }],
    ['nameserver 127.0.0.1\nsearch a.test b.test\n', { search: ['a.test', 'b.test'], dots: 1 }],
    ['search a.test\ndomain b.test', { search: ['b.test'], dots: 1 }],
    ['options ndots:5 timeout:1\nsearch .', { search: [], dots: 5 }],
    ['options ndots:99\nsearch 1 2 3 4 5 6 7', { search: [...'123456'], dots: 15 }],
  ])('%j is read', (text, expected) => {
    expect(parseResolvConf(text)).toEqual(expected)
  })
})

describe('a hosts file', () => {
  it('is read', () => {
    const text = '127.0.0.1 localhost\n# ::1 no\n10.0.0.1\tA.test  b # c\n\n'
    expect([...parseHosts(text)]).toEqual(['localhost', 'a.test', 'b'])
  })
})
