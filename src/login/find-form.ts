import { CrawlerError } from '../errors.ts'
import { encodingOf } from '../html/charset/decode-page.ts'
import { htmlTree, isSelector, type OpenForms } from '../page-data/html-tree.ts'
import { canonicalize } from '../url/canonicalize.ts'
import {
  entriesOf,
  type FormElement,
  type FormEntry,
  isDisabled,
  pressedEntries,
} from './form-entries.ts'

/** A form as a browser would send it without any input. */
export interface FoundForm {
  /** Canonical URL to which the form is sent; undefined if it isn't an http or https URL. */
  readonly action: string | undefined
  /** True if the form is sent with POST. */
  readonly isPosted: boolean
  /** Fields with values: default values and hidden fields, such as a token against forged requests. */
  readonly fields: readonly FormEntry[]
  /** The encoding that the form demands for its fields; undefined if it is that of the page. */
  readonly charset: string | undefined
}

/** Elements that can belong to a form. */
const CONTROLS = 'button, input, select, textarea'
/** Buttons that submit a form. */
const BUTTONS =
  'button:not([type="button" i], [type="reset" i]), input[type="submit" i], input[type="image" i]'

/**
 * Returns the first form that has all of these fields.
 * @param url the URL of the page
 * @param selector a CSS selector that the form must match
 * @throws CrawlerError('usage') if the selector is invalid
 */
export function findForm(
  html: string,
  url: string,
  names: readonly string[],
  selector = 'form',
): FoundForm | undefined {
  if (!isSelector(selector)) {
    throw new CrawlerError('usage', `form: expected a CSS selector, got \`${selector}\``)
  }
  const openForms: OpenForms = new Map()
  const $ = htmlTree(html, openForms)
  const owned = controlsByForm($, openForms)
  // The selector may match an element around fields that a script sends.
  const controlsOf = (form: Parameters<typeof $>[0]) => {
    const controls = $(form).is('form') ? owned.get(form) : $(form).find(CONTROLS).toArray()
    return (controls ?? []).map((each) => $(each))
  }
  const form = $(selector)
    .filter((_, each) => {
      const found = new Set(controlsOf(each).map((control) => control.attr('name')))
      return names.every((name) => found.has(name))
    })
    .first()
  if (form.length === 0) return undefined
  const base = URL.parse($('base[href]').attr('href') ?? '', url)?.href ?? url
  return submission(form, controlsOf(form[0]), names, (action) => URL.parse(action || url, base))
}

/**
 * Returns what a form sends.
 * @param resolve resolves the URL that the form names; empty if it names none
 */
function submission(
  form: FormElement,
  controls: readonly FormElement[],
  names: readonly string[],
  resolve: (action: string) => URL | null,
): FoundForm {
  const button = pressedButton(controls, names)
  const target = resolve((button?.attr('formaction') ?? form.attr('action') ?? '').trim())
  const fields = controls.flatMap((each) => entriesOf(each))
  return {
    action: target !== null && /^https?:$/.test(target.protocol) ? canonicalize(target) : undefined,
    isPosted: /^post$/i.test(button?.attr('formmethod') ?? form.attr('method') ?? ''),
    fields: button === undefined ? fields : [...fields, ...pressedEntries(button)],
    charset: firstEncodingIn(form.attr('accept-charset') ?? ''),
  }
}

/** Returns the button that submits the form: one of these names, or else the first one, as with the Enter key. */
function pressedButton(controls: readonly FormElement[], names: readonly string[]) {
  const buttons = controls.filter((each) => each.is(BUTTONS))
  const enabled = buttons.filter((each) => !isDisabled(each))
  const named = enabled.find((each) => names.includes(each.attr('name') ?? ''))
  // If all buttons are disabled, a script enables one.
  return named ?? enabled[0] ?? buttons[0]
}

/** Returns the WHATWG name of the first encoding of a list; undefined if there is none of that name. */
function firstEncodingIn(list: string): string | undefined {
  const [first = ''] = list.trim().split(/[\s,]+/)
  return encodingOf(first)
}

/**
 * Returns the controls of each form: those that name it, or else those that were created while it was open, or are in
 * it. A form in a table may own controls that the tree has outside.
 */
function controlsByForm($: ReturnType<typeof htmlTree>, openForms: OpenForms) {
  const forms = $('form').toArray()
  const controls = $(CONTROLS).toArray()
  const ownerOf = (control: (typeof controls)[number]): unknown => {
    const id = $(control).attr('form')
    return id === undefined
      ? (openForms.get(control) ?? $(control).closest('form')[0])
      : forms.find((form) => $(form).attr('id') === id)
  }
  return Map.groupBy(controls, ownerOf)
}

/** Returns the names of the fields of a page that a user can fill in. */
export function fieldNames(html: string): readonly string[] {
  const $ = htmlTree(html)
  const fields = $('input:not([type="hidden" i], [type="submit" i]), select, textarea').toArray()
  return [...new Set(fields.flatMap((each) => $(each).attr('name') ?? []))]
}

/** Returns the text of a page without tags. */
export function textOf(html: string): string {
  return htmlTree(html).root().text()
}
