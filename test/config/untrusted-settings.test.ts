import { describe, expect, it } from 'vitest'
import { checkUntrusted } from '../../src/config/untrusted-settings.ts'

const found = (seeds: string[], hasGivenSeeds = false) => ({
  ...{ origin: 'found' as const, name: 'f.json', settings: { seeds } },
  ...{ isOwnFile: () => false, hasGivenSeeds },
})
const PRIVATE = [
  ...['http://127.0.0.1:9999/', 'http://[::ffff:7f00:1]/', 'http://0x7f.1/', '2130706433:80'],
  ...['localhost:3000', 'https://a.LOCALHOST./', 'http://10.0.0.5/', 'http://[fe80::1]/'],
]

describe('a private seed in a file that --config does not name', () => {
  it.each(PRIVATE)('is refused: %s', (seed) => {
    expect(() => checkUntrusted(found(['https://a.example/', seed]), new Set())).toThrow(
      /^f\.json: seeds: the private address \S+ is not taken from a file that --config does not name: give the seed, or name this file with --config$/,
    )
  })

  it('is accepted if the user allows private addresses, gave the seeds, or gives others', () => {
    for (const given of ['allowPrivate', 'seeds'])
      expect(() => checkUntrusted(found(PRIVATE), new Set([given]))).not.toThrow()
    expect(() => checkUntrusted(found(PRIVATE, true), new Set())).not.toThrow()
  })
})

describe('metrics in a file that --config does not name', () => {
  const check = (metrics: string | number, given: readonly string[] = []) =>
    checkUntrusted({ ...found([]), settings: { metrics } }, new Set(given))

  it.each(['0.0.0.0:9464', '[::]:9464', '10.0.0.5:9464'])('are refused at %s', (metrics) => {
    expect(() => check(metrics)).toThrow(
      'f.json: metrics: is not taken from a file that --config does not name: give --metrics, or',
    )
    expect(() => check(metrics, ['metrics'])).not.toThrow()
  })

  it('may have a port of this machine', () => {
    for (const metrics of [9_464, '9464', '127.0.0.1:9464', '[::1]:9464'])
      expect(() => check(metrics)).not.toThrow()
  })
})
