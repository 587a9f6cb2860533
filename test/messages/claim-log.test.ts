import { describe, expect, it } from 'vitest'
import {
  type Claim,
  ClaimLog,
  claimsIn,
  type OlderClaims,
  readClaims,
} from '../../src/messages/claim-log.ts'

const claim = (page: number, kind: Claim['kind'], text: string, isDeeper = false): Claim => {
  return { page, kind, text, isDeeper }
}

function openLog() {
  const memory = ClaimLog.allocate()
  const older: OlderClaims[] = []
  const log = new ClaimLog(memory, (claims) => older.push(claims))
  const note = ({ page, kind, text, isDeeper }: Claim) => log.add(page, kind, text, isDeeper)
  return { memory, log, note, older }
}

describe('a log of claims', () => {
  it('returns claims of all kinds', () => {
    const { memory, note } = openLog()
    const claims = [
      claim(1, 'link', 'http://a.test/'),
      claim(2 ** 40 + 3, 'external', 'http://b.test/?q'),
      claim(2 ** 32 - 1, 'merged', 'strip-www,sort-query http://www.a.test/'),
      claim(7, 'invalid-url', 'http://[ü→💥', true),
      claim(7, 'scheme', ''),
    ]
    for (const each of claims) note(each)
    expect(claimsIn(memory)).toEqual(claims)
  })

  it('is cleared after all pages of its claims are reported', () => {
    const { memory, log, note } = openLog()
    const claims = [claim(1, 'link', 'http://a.test/1'), claim(2, 'link', 'http://a.test/2')]
    for (const each of claims) note(each)
    log.reported(1)
    expect(claimsIn(memory)).toEqual(claims)
    log.reported(3)
    log.reported(2)
    expect(claimsIn(memory)).toEqual([])
    note(claim(3, 'asset', 'http://a.test/3'))
    expect(claimsIn(memory)).toEqual([claim(3, 'asset', 'http://a.test/3')])
  })

  it.each([-16, 2 ** 30, -1])(
    'is read up to where a hook overwrote it, such as with a length of %d',
    (length) => {
      const { memory, note } = openLog()
      const claims = [claim(1, 'link', 'http://a.test/1'), claim(2, 'link', 'http://a.test/2')]
      for (const each of claims) note(each)
      const words = new Int32Array(memory)
      words[words.lastIndexOf(15)] = length
      expect(claimsIn(memory)).toEqual(claims.slice(0, 1))
    },
  )

  it('sends claims for which it has no space with their unreported pages', () => {
    const { memory, log, note, older } = openLog()
    note(claim(1, 'link', 'http://a.test/'))
    note(claim(2, 'link', 'http://a.test/'))
    log.reported(1)
    const claims = Array.from({ length: 3_000 }, (_, index) => {
      return claim(3, 'link', `http://a.test/${'x'.repeat(index)}`)
    })
    for (const each of claims) note(each)
    expect(older.length).toBeGreaterThan(10)
    expect(older[0]?.pages).toEqual([2, 3])
    const all = [...older.flatMap(({ entries }) => readClaims(entries)), ...claimsIn(memory)]
    expect(all.slice(2)).toEqual(claims)
  })
})
