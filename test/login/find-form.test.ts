import { describe, expect, it } from 'vitest'
import { findForm } from '../../src/login/find-form.ts'

const find = (html: string, names: readonly string[] = []) =>
  findForm(html, 'http://a.test/login', names)
const entriesIn = (html: string) => find(`<form method=post>${html}</form>`)?.fields

describe('the fields that a form sends', () => {
  it.each<[string, string, readonly (readonly [string, string])[]]>([
    [
      'no disabled option',
      `<select name=a><option disabled>Choose<option value=1>One</select>
        <select name=b><option disabled selected value="">Choose<option value=1>One</select>
        <select name=c><optgroup disabled><option>x</optgroup></select>`,
      [['a', '1']],
    ],
    [
      'the text of an option without extra spaces',
      '<select name=a><option> United\n  States </select>',
      [['a', 'United States']],
    ],
    [
      'all selected options of a list',
      '<select name=a multiple><option value=1 selected>x<option value=2 selected>y<option>z</select>',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['no option of a list without a selected one', '<select name=a size=3><option>x</select>', []],
    [
      'no field of a disabled fieldset, except in its legend',
      `<fieldset disabled><legend><input name=a value=1></legend><input name=b>
        <legend><input name=c></legend><button name=d></button></fieldset><button name=e></button>`,
      [
        ['a', '1'],
        ['e', ''],
      ],
    ],
    [
      'no line ends in a field of one line, and CRLF elsewhere',
      '<input name=a value="1&#10;2"><input type=hidden name=b value="1&#10;2"><textarea name=c>\n1\n2</textarea>',
      [
        ['a', '12'],
        ['b', '1\r\n2'],
        ['c', '1\r\n2'],
      ],
    ],
    [
      'the point of an image that is pressed',
      '<input type=image name=go><input type=submit name=later>',
      [
        ['go.x', '0'],
        ['go.y', '0'],
      ],
    ],
  ])('include %s', (_, html, entries) => {
    expect(entriesIn(html)).toEqual(entries)
  })

  it('include the button that is one of the given fields, not the first one of the form', () => {
    const html = `<form method=post><input type=submit name=search value=Go formaction=/search>
      <input name=user><button name=login value=1 disabled></button><button name=login value=2></button></form>`
    expect(find(html, ['user', 'login'])).toMatchObject({
      ...{ action: 'http://a.test/login', isPosted: true },
      fields: [
        ['user', ''],
        ['login', '2'],
      ],
    })
  })

  it.each([
    ['an unclosed cell of a table', '<table><tr><td><form><tr><td><input name=a></form></table>'],
    ['an element that ends before it', '<div><form></div><input name=a></form>'],
  ])('include those that follow a form opened in %s', (_, html) => {
    expect(find(html, ['a'])?.fields).toEqual([['a', '']])
  })

  it('include those in another element that the selector names', () => {
    const html = '<form><div id=login><input name=a><input name=b value=1></div></form>'
    expect(findForm(html, 'http://a.test/', ['a'], '#login')?.fields).toEqual([
      ['a', ''],
      ['b', '1'],
    ])
  })

  it('include none after the end of a form, although the tree has it open', () => {
    expect(find('<div><form></div></form><input name=a>', ['a'])).toBeUndefined()
  })
})
