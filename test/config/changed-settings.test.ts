import { expect, it } from 'vitest'
import { changedSettings, describeChanges } from '../../src/config/changed-settings.ts'

const urls = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `http://a.test/${from + n}`)

it('short values are shown with the old and the new value', () => {
  const before = { exclude: ['a'], depth: 1_000_000, title: 'x' }
  const now = { exclude: ['b'], depth: 2, title: 'x' }
  expect(describeChanges(['exclude', 'depth', 'title'], before, now)).toEqual([
    '--exclude was ["a"] and is ["b"] now',
    '--depth was unlimited and is 2 now',
  ])
})

it.each([
  ['forgetAfter', 604_800_000, 90_000, '--forget-after was 7d and is 90s now'],
  ['delay', 0, 1_500, '--delay was 0 and is 1500ms now'],
  ['rate', 0.5, 5, '--rate was 30/m and is 5/s now'],
  ['bandwidth', 2_000_000, 1_500, '--bandwidth was 2MB/s and is 1500B/s now'],
  ['jitter', 0.5, 0.125, '--jitter was 50% and is 12.5% now'],
  ['falsePositiveRate', 0.001, 0.5, '--false-positive-rate was 0.001 and is 0.5 now'],
  ['perHost', 6, 1_000, '--per-host was 6 and is 1000 now'],
  ['external', false, true, '--external was not set and is set now'],
  ['traps', true, false, '--no-traps was not set and is set now'],
  ['exclude', [], ['x'], '--exclude was not set and is ["x"] now'],
  ['stripQuery', true, ['a'], '--strip-query was set and is ["a"] now'],
  ['hooks', undefined, 'a.js', 'hooks was not set and is "a.js" now'],
])(
  'the value of %s is shown with its flag, in the form in which it is typed',
  (name, was, is, expected) => {
    expect(describeChanges([name], { [name]: was }, { [name]: is })).toEqual([expected])
  },
)

it('changed long lists are described by what was added and removed, with a few names', () => {
  const [before, now] = [urls(0, 5_000), urls(1, 5_003)]
  const describe = (was: unknown, is: unknown) =>
    describeChanges(['seeds'], { seeds: was }, { seeds: is })
  expect(describe(before, now)).toEqual([
    'seeds changed (3 added: http://a.test/5000, http://a.test/5001, http://a.test/5002; 1 of 5,000 removed: http://a.test/0)',
  ])
  expect(describe(before, urls(0, 5))).toEqual([
    'seeds changed (4,995 of 5,000 removed: http://a.test/5, http://a.test/6, http://a.test/7, …)',
  ])
  expect(describe(['http://a.test/'], [`http://a.test/${'x'.repeat(1_000)}`])).toEqual([
    `seeds changed (1 added: http://a.test/${'x'.repeat(86)}…; 1 of 1 removed: http://a.test/)`,
  ])
})

it('changed long objects are described by their entries', () => {
  const before = Object.fromEntries(Array.from({ length: 90 }, (_, n) => [`f${n}`, `.f${n}`]))
  expect(
    describeChanges(['extract'], { extract: before }, { extract: { ...before, f7: '.g' } }),
  ).toEqual(['--extract changed (1 added: f7=.g; 1 of 90 removed: f7=.f7)'])
})

it('seeds may change order and repetition; other lists may not', () => {
  const [one, other] = [urls(0, 100), [...urls(50, 100), ...urls(0, 99), 'http://A.test/99#x']]
  expect(changedSettings(['seeds'], { seeds: one }, { seeds: other })).toEqual([])
  expect(describeChanges(['include'], { include: one }, { include: one.toReversed() })).toEqual([
    '--include changed (the same ones in another order)',
  ])
})

it('an empty list equals a missing one', () => {
  expect(changedSettings(['include'], {}, { include: [] })).toEqual([])
  expect(changedSettings(['include'], { include: [] }, { include: ['a'] })).toHaveLength(1)
})
