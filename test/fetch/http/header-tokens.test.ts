import { expect, it } from 'vitest'
import { tokensOf, withoutSpace } from '../../../src/fetch/http/header-tokens.ts'

it('elements of lists are in lower case, without white space and empty ones', () => {
  expect(tokensOf(' A,b ,\t, C')).toEqual(['a', 'b', 'c'])
  expect(tokensOf(['A', 'b, c'])).toEqual(['a', 'b', 'c'])
  expect(tokensOf(undefined)).toEqual([])
})

it('elements of lists keep characters that are no white space in HTTP, such as a no-break space', () => {
  expect(tokensOf('gzip, chunked\xa0, \x0bx')).toEqual(['gzip', 'chunked\xa0', '\x0bx'])
})

it('texts lose the spaces and tabs at their ends', () => {
  expect(withoutSpace(' \ta b\t ')).toBe('a b')
  expect(withoutSpace('A: b ', 2)).toBe('b')
  expect(withoutSpace(' \t')).toBe('')
})
