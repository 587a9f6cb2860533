import { encodingTables } from '../encoding/decoders.ts'
import type { htmlTree } from '../page-data/html-tree.ts'

/** A name and a value that a form sends. */
export type FormEntry = readonly [name: string, value: string]

/** An element of a page. */
export type FormElement = ReturnType<ReturnType<typeof htmlTree>>

/** Controls that send nothing by themselves. A file field without a file adds nothing that a login needs. */
const SILENT =
  'button, [type="submit" i], [type="image" i], [type="button" i], [type="reset" i], [type="file" i]'

/** Returns whether a control is disabled, by itself or by a fieldset. */
export function isDisabled(control: FormElement): boolean {
  if (control.is('[disabled]')) return true
  const fieldsets = control.parents('fieldset[disabled]')
  const legends = control.parents('legend')
  const isExempt = (index: number) => fieldsets.eq(index).children('legend').first().is(legends)
  return fieldsets.toArray().some((_, index) => !isExempt(index))
}

/** Returns what a control sends in the state in which the page has it. */
export function entriesOf(control: FormElement): readonly FormEntry[] {
  const name = control.attr('name') ?? ''
  if (name === '' || isDisabled(control)) return []
  if (control.is('select')) return chosenIn(control).map((value) => [name, value])
  if (control.is('textarea')) return [[name, withCrlf(control.text())]]
  if (control.is(SILENT)) return []
  if (control.is('[type="checkbox" i], [type="radio" i]')) {
    return control.is('[checked]') ? [[name, withCrlf(control.attr('value') ?? 'on')]] : []
  }
  const value = control.attr('value') ?? ''
  // Fields of one line have no line ends.
  return [[name, control.is('[type="hidden" i]') ? withCrlf(value) : value.replace(/[\r\n]/g, '')]]
}

/** Returns what a button sends if it is pressed. */
export function pressedEntries(button: FormElement): readonly FormEntry[] {
  const name = button.attr('name') ?? ''
  if (button.is('[type="image" i]')) {
    // The point of the image that was clicked. It is 0, 0 if the Enter key submits the form.
    const prefix = name === '' ? '' : `${name}.`
    return ['x', 'y'].map((axis) => [prefix + axis, '0'])
  }
  return name === '' ? [] : [[name, withCrlf(button.attr('value') ?? '')]]
}

/** Returns the values of the options that are selected, without disabled ones. */
function chosenIn(select: FormElement): readonly string[] {
  const options = select.find('option')
  const enabled = options.not('[disabled], optgroup[disabled] > option')
  const selected = options.filter('[selected]')
  const isList = Number.parseInt(select.attr('size') ?? '', 10) > 1
  let chosen = selected
  if (!select.is('[multiple]')) {
    chosen = selected.length > 0 || isList ? selected.last() : enabled.first()
  }
  const sent = chosen.filter((index) => enabled.is(chosen.eq(index)))
  return sent.toArray().map((_, index) => optionValue(sent.eq(index)))
}

function optionValue(option: FormElement): string {
  if (option.is('[value]')) return withCrlf(option.attr('value') ?? '')
  return option
    .text()
    .replace(/[\t\n\f\r ]+/g, ' ')
    .trim()
}

/** ASCII characters that are escaped in `application/x-www-form-urlencoded`, without controls. */
const ESCAPED = '!"#$%&\'()+,/:;<=>?@[\\]^`{|}~'

/**
 * Encodes entries as `application/x-www-form-urlencoded`, in the encoding of their page as browsers do.
 * @param charset a WHATWG name
 */
export function encodeEntries(entries: readonly FormEntry[], charset: string): string {
  const encoding = /^(?:utf-16|replacement)/.test(charset) ? 'utf-8' : charset
  const { percentEncodeAfterEncoding } = encodingTables()
  const encode = (text: string) => percentEncodeAfterEncoding(encoding, text, ESCAPED, true)
  return entries.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
}

function withCrlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n')
}
