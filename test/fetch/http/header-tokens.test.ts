import { expect, it } from 'vitest'
import { tokensOf } from '../../../src/fetch/http/header-tokens.ts'

it('elements of lists are in lower case, without white space and empty ones', () => {
  expect(tokensOf(' A,b ,\t, C')).toEqual(['a', 'b', 'c'])
  expect(tokensOf(['A', 'b, c'])).toEqual(['a', 'b', 'c'])
  expect(tokensOf(undefined)).toEqual([])
})
