import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { txt } from '../../../src/formats/per-visit/txt.ts'
import { recordOf } from '../../support/record-of.ts'
import { keepsTheContract } from '../output-contract.ts'

keepsTheContract({
  file: 'visits.txt',
  read: (file) => readFileSync(file, 'utf8').split('\n').slice(0, -1),
})

describe('txt', () => {
  it('has the URLs with a 2xx status, and no others', () => {
    const visits = [{ status: 200 }, { status: 204 }, { status: 301 }, { status: 404 }, {}]
    const lines = visits.map((visit, page) => {
      return txt.encode({ record: recordOf({ ...visit, url: `http://a.test/${page}` }) })
    })
    expect(lines).toEqual(['http://a.test/0\n', 'http://a.test/1\n', '', '', ''])
  })
})
