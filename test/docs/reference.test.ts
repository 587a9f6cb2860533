import { expect, it } from 'vitest'
import { fieldsOf, textsOf } from '../../build/interface-docs.ts'
import { reference } from '../../build/reference.ts'

it('every entry of the reference has an explanation', async () => {
  const rows = (await reference()).split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(150)
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([])
})

it('the reference has no text that resembles an HTML tag', async () => {
  const texts = (await reference()).replace(/```.*?```|`[^`\n]*`/gs, '')
  expect(texts.match(/(?<!\\)<[a-z/!].*/g)).toBeNull()
})

it('the comments of an interface become the explanations of its fields', () => {
  const source = `export interface A extends B {
  /**
   * One
   * more.
   */
  readonly a?: string | undefined
  readonly b: { readonly c: 1 }
}
export type T =
  | 'x'
  | 'y-z'
`
  expect(fieldsOf(source, 'A')).toEqual([
    { name: 'a', isOptional: true, type: 'string | undefined', comment: 'One more.' },
    { name: 'b', isOptional: false, type: '{ readonly c: 1 }', comment: '' },
  ])
  expect(textsOf(source, 'T')).toEqual(['x', 'y-z'])
})
