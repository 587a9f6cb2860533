import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { mergeConfig, resolveConfig } from '../../src/config/resolve-config.ts'
import { UNLIMITED_DEPTH } from '../../src/config/settings/crawl-settings.ts'

/** Returns the lines of the error that refuses a config. */
function problemsOf(file: object, flags: object = {}): string[] {
  try {
    mergeConfig(file, 'my.json', flags)
  } catch (error) {
    expect(error).toMatchObject({ name: 'CrawlerError', kind: 'usage' })
    return error instanceof Error ? error.message.split('\n') : []
  }
  return []
}

describe('a config', () => {
  it.each([
    [{ perHost: 64, workers: 2 }, 32],
    [{ perHost: 65, workers: 2 }, 33],
    [{ perHost: 64, workers: 8 }, 16],
    [{ perHost: 64, workers: 2, concurrency: 4 }, 4],
  ])(
    'has as many requests in flight as --per-host needs, unless concurrency is set: %o',
    (input, most) => {
      expect(resolveConfig(input).concurrency).toBe(most)
    },
  )

  it('has the documented defaults', () => {
    expect(resolveConfig({})).toEqual({
      ...{
        seeds: [],
        seedsMayBePrivate: true,
        repeatedSeeds: 0,
        dryRun: false,
        depth: 3,
        scope: 'host',
        include: [],
        exclude: [],
        includePath: [],
        excludePath: [],
      },
      ...{
        canonicalize: [],
        stripQuery: false,
        color: 'auto',
        assets: false,
        external: false,
        externalAssets: false,
        sitemaps: false,
        traps: true,
      },
      ...{ deterministic: false, followDuplicates: true },
      ...{ extract: {}, text: false, markdown: false, responseHeaders: [], hash: false },
      ...{ warcDedup: [] },
      hookTimeout: 10_000,
      ...{ output: ['-'], overwrite: false, force: false },
      ...{ frontier: [], lease: 30_000 },
      ...{ workers: availableParallelism(), concurrency: 16, perHost: 6, delay: 0 },
      hostDelay: {},
      ...{
        timeout: 30_000,
        maxRedirects: 20,
        retries: 2,
        retryStatus: [],
        maxBody: 10 * 2 ** 20,
        insecure: false,
        http1: false,
        proxies: { except: [], exceptLoopback: false },
        resolve: [],
        ipv4: false,
        ipv6: false,
        cookies: false,
        allowPrivate: false,
        connectTimeout: 10_000,
        headers: {},
      },
      ...{ render: 'never', interact: false, renderTimeout: 10_000 },
      ...{ adaptive: false, perIp: false, maxHostErrors: 20 },
      ...{ maxRetryAfter: 120_000, hostPatience: 120_000, minRateTime: 10_000, retryFailed: false },
      ...{ ignoreRobots: false, userAgent: expect.stringMatching(/^orbweaver\/.+ \(\+https:/) },
      ...{ seen: 'bloom-growing', expectedUrls: 1_000_000, falsePositiveRate: 0.001 },
      ...{ digest: 'halfsiphash', forgetAfter: 604_800_000 },
      ...{ logLevel: 'info', logInterval: 5_000, progress: true },
    })
  })

  it('prefers flags to the file, and the file to the defaults', () => {
    const file = { depth: 5, retries: 0, timeout: '1m', include: ['a'] }
    const config = mergeConfig(file, 'my.json', { depth: 7, include: ['b', 'c'] })
    expect(config).toMatchObject({ depth: 7, retries: 0, timeout: 60_000, include: ['b', 'c'] })
    expect(config).toMatchObject({ concurrency: 16, exclude: [] })
  })

  it('accepts the word unlimited for a number, like the flag', () => {
    const everything = { depth: UNLIMITED_DEPTH }
    expect(resolveConfig({ depth: 'unlimited' })).toMatchObject(everything)
    expect(mergeConfig({ depth: 'unlimited' }, 'my.json', {})).toMatchObject(everything)
    expect(mergeConfig({ depth: 'unlimited' }, 'my.json', { depth: 2 })).toMatchObject({ depth: 2 })
  })

  it.each([
    ['2026-11-01', Date.parse('2026-11-01T00:00Z')],
    ['2026-11-01T08:30+01:00', Date.parse('2026-11-01T07:30Z')],
    ['7d', Date.now() - 7 * 86_400_000],
  ])('has a time in the past: sitemapSince %s', (sitemapSince, time) => {
    const parsed = resolveConfig({ sitemapSince }).sitemapSince ?? Number.NaN
    expect(parsed - time).toBeGreaterThanOrEqual(0)
    expect(parsed - time).toBeLessThan(60_000)
  })

  it('may name its schema, which is not a setting', () => {
    expect(mergeConfig({ $schema: './x.json' }, 'my.json', {})).not.toHaveProperty('$schema')
  })
})

describe('a bad config', () => {
  it('is reported with all problems at once: place, expected and actual value', () => {
    const file = {
      ...{ depth: '3', perHost: 0, scope: 'all', delay: 5, maxBody: '1GiB', workers: 1.5 },
      ...{ include: ['fine', '('], headers: { 'a b': 'x', c: 'one\ntwo' }, seeds: ['ftp://x'] },
      ...{ perhost: 1, maxTime: '0', falsePositiveRate: 1, overwrite: 'yes', userAgent: '1.0' },
      ...{ canonicalize: ['sort-query', 'sort'], assets: 1, skipped: false, maxRedirects: 1_001 },
    }
    expect(problemsOf(file, { depth: -1, retries: 'many' }).sort()).toEqual([
      '--depth: expected a whole number from 0 to 1000000 or unlimited, got `-1`',
      '--retries: expected a whole number from 0 to 100, got `many`',
      'my.json: assets: expected true or false, got `1`',
      expect.stringMatching(/^my\.json: canonicalize\.1: expected one of strip-www, .+`"sort"`$/),
      'my.json: delay: expected a duration such as "500ms", "2s" or "1h", got `5`',
      'my.json: depth: expected a whole number from 0 to 1000000 or unlimited, got `"3"`',
      'my.json: falsePositiveRate: expected a number between 0 and 1, got `1`',
      'my.json: headers.a***: expected a header name, got `"a***"`',
      'my.json: headers.c: expected a header value of one line, of at most 8192 characters of Latin-1',
      'my.json: include.1: expected a JavaScript regular expression such as \\.pdf$ (unterminated group), got `"("`',
      'my.json: maxBody: expected a size such as "500kB" or "10MiB", from 1 byte to 256MiB, got `"1GiB"`',
      'my.json: maxRedirects: expected a whole number from 0 to 1000, got `1001`',
      'my.json: maxTime: expected a duration such as "500ms", "2s" or "1h", of at least 1ms, got `"0"`',
      'my.json: overwrite: expected true or false, got `"yes"`',
      'my.json: perHost: expected a whole number from 1 to 10000, got `0`',
      'my.json: perhost: unknown setting; did you mean perHost?',
      'my.json: scope: expected one of page, path, host, domain, any, got `"all"`',
      'my.json: seeds.0: expected an http or https URL, got `"ftp://x"`',
      'my.json: skipped: expected a file name, got `false`',
      'my.json: userAgent: expected a name, got `"1.0"`',
      'my.json: workers: expected a whole number from 1 to 256, got `1.5`',
    ])
  })

  it.each([
    '2999-01-01',
    '2026-02-30',
    '2026-13-01',
    '999999999d',
    '2026-11-01T08:30',
    'yesterday',
  ])('is reported if sitemapSince is no time in the past: %s', (sitemapSince) => {
    expect(problemsOf({ sitemapSince })).toEqual([
      `my.json: sitemapSince: expected a date in the past such as "2026-11-30", or a duration such as "7d", got \`"${sitemapSince}"\``,
    ])
  })

  it('is reported with the first 100 characters of a long name', () => {
    expect(problemsOf({ ['k'.repeat(1e6)]: 1 })).toEqual([
      `my.json: ${'k'.repeat(100)}…: unknown setting`,
    ])
  })

  it.each(['__proto__', 'prototype', 'constructor'])(
    'the name %s of a field or a header is refused, since it would be lost',
    (name) => {
      const input: object = JSON.parse(`{"${name}": "h1"}`)
      const expected = 'expected a name other than `__proto__`, `prototype`, `constructor`'
      expect(problemsOf({ extract: input, headers: input })).toEqual([
        `my.json: extract.${name}: ${expected}, got \`"${name}"\``,
        `my.json: headers.${name}: ${expected}, got \`"${name}"\``,
      ])
    },
  )

  it('is reported if it has a list for a setting that takes an object', () => {
    expect(problemsOf({ headers: ['Cookie: secret'], extract: ['h1'] })).toEqual([
      'my.json: extract: expected an object of names and CSS selectors, got `["h1"]`',
      'my.json: headers: expected an object of header names and values',
    ])
  })

  it.each(['skipped', 'links', 'saveBodies', 'state', 'cookies', 'hooks'])(
    'is reported if %s is a file name that no system allows',
    (setting) => {
      expect(problemsOf({ [setting]: 'a\0b' })).toEqual([
        expect.stringMatching(`^my\\.json: ${setting}: expected .+, got .+a.u0000b`),
      ])
      expect(problemsOf({ [setting]: '' })).toHaveLength(1)
    },
  )

  it('is reported with the bound that a value exceeds', () => {
    const maxPages = '9007199254740993'
    const flags = {
      expectedUrls: 1e18,
      maxPages,
      maxTime: '99999999999999h',
      revisitAfter: '4000d',
    }
    expect(problemsOf({}, flags).sort()).toEqual([
      '--expected-urls: expected a whole number from 1 to 9007199254740991, got `1000000000000000000`',
      '--max-pages: expected a whole number from 1 to 9007199254740991, got `9007199254740993`',
      '--max-time: expected a duration of at most 24 days, got `99999999999999h`',
      '--revisit-after: expected a duration of at most 3650 days, got `4000d`',
    ])
  })

  it('is reported with settings, not flags, if a program passed it', () => {
    const settings = { depht: 3, seeds: ['ftp://x'], perHost: '3', zzz: 1, maxDepth: 2, url: '' }
    expect(() => resolveConfig(settings)).toThrow(
      expect.objectContaining({
        message: [
          'seeds.0: expected an http or https URL, got `"ftp://x"`',
          'perHost: expected a whole number from 1 to 10000, got `"3"`',
          'depht: unknown setting; did you mean depth?',
          'zzz: unknown setting',
          'maxDepth: unknown setting; did you mean depth?',
          'url: unknown setting; did you mean seeds?',
        ].join('\n'),
      }),
    )
    expect(() => resolveConfig(3)).toThrow('settings: expected an object of settings, got `3`')
  })

  it('is reported with flags as they are typed', () => {
    const flags = { expectedUrls: 'x', headers: { 'a:': '' }, seeds: ['mailto:a@b'], maxPages: 0 }
    expect(problemsOf({}, flags).sort()).toEqual([
      '--expected-urls: expected a whole number of at least 1, got `x`',
      '--header: expected a header name, got `a***`',
      '--max-pages: expected a whole number of at least 1, got `0`',
      'seed: expected an http or https URL, got `mailto:a@b`',
    ])
  })

  it.each(['Connection', 'content-length', 'Transfer-Encoding', 'Expect', 'Upgrade', 'Keep-Alive'])(
    'is reported if it sets the connection header %s',
    (name) => {
      expect(problemsOf({}, { headers: { [name]: '1' } })).toEqual([
        expect.stringMatching(/^--header: expected a header other than connection, .+`$/),
      ])
    },
  )

  it('is reported in lines of limited length', () => {
    const [line = ''] = problemsOf({ scope: 'x'.repeat(100_000) })
    expect(line.length).toBeLessThan(300)
  })

  it('is refused if it is not an object', () => {
    expect(() => resolveConfig(null)).toThrow('expected an object of settings')
  })
})
