import { describe, expect, it } from 'vitest'
import { FIELD_NAME, parseField } from '../../src/page-data/field.ts'

describe('a field', () => {
  it.each([
    ['title', 'h1', { name: 'title', selector: 'h1', isList: false }],
    ['links[]', 'a@href', { name: 'links', selector: 'a', attribute: 'href', isList: true }],
    ['x', '.price @Data-Value', { name: 'x', selector: '.price', attribute: 'data-value' }],
    ['mail', 'a[href*="@"]', { name: 'mail', selector: 'a[href*="@"]' }],
    ['mail', 'a[href*="@"]@href', { selector: 'a[href*="@"]', attribute: 'href' }],
    ['p[]', '.p{a=b, c[]=d@e}', { name: 'p', selector: '.p', isList: true, fields: [{}, {}] }],
    ['x', '@href', { selector: '', attribute: 'href' }],
  ])('%s=%s is read', (name, source, field) => {
    expect(parseField(name, source)).toMatchObject(field)
  })

  it('needs a valid name, which may be that of a list', () => {
    const names = [
      'title',
      'og:image',
      'ns.field',
      'links[]',
      'größe',
      '',
      '[]',
      'a b',
      'a[',
      'a"',
      'price*',
    ]
    expect(names.filter((name) => FIELD_NAME.test(name))).toEqual(names.slice(0, 5))
  })
})
