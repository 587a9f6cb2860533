import { CrawlerError } from '../errors.ts'
import { htmlTree, isSelector } from '../page-data/html-tree.ts'
import { canonicalize } from '../url/canonicalize.ts'

/** A form as a browser would send it without any input. */
export interface FoundForm {
  /** Canonical URL to which the form is sent; undefined if it isn't an http or https URL. */
  readonly action: string | undefined
  /** True if the form is sent with POST. */
  readonly isPosted: boolean
  /** Fields with values: default values and hidden fields, such as a token against forged requests. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Elements that can belong to a form. */
const CONTROLS = 'button, input, select, textarea'
/** Parents that can't contain a form, according to the HTML standard. */
const TABLE_PARTS = 'table, tbody, thead, tfoot, tr'
/** Buttons that submit a form. The name and value of the first one are sent. */
const BUTTONS = 'button:not([type]), button[type="submit" i], input[type="submit" i]'

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
  const $ = htmlTree(html)
  const owned = controlsByForm($)
  const controlsOf = (form: Parameters<typeof $>[0]) =>
    $(owned.get(form) ?? $(form).find(CONTROLS).toArray())
  const form = $(selector)
    .filter((_, each) => {
      const found = new Set(
        controlsOf(each)
          .toArray()
          .map((control) => $(control).attr('name')),
      )
      return names.every((name) => found.has(name))
    })
    .first()
  if (form.length === 0) return undefined
  const base = URL.parse($('base[href]').attr('href') ?? '', url)?.href ?? url
  const controls = controlsOf(form[0])
  const buttons = controls.filter(BUTTONS)
  const enabled = buttons.filter(':enabled')
  // If all buttons are disabled, a script enables one.
  const button = (enabled.length > 0 ? enabled : buttons).first()
  const action = button.attr('formaction') ?? form.attr('action')
  const target = URL.parse(action?.trim() || url, base)
  const pressed = button.attr('name')
  const fields = controls.serializeArray().map(({ name, value }) => [name, value] as const)
  return {
    action: target !== null && /^https?:$/.test(target.protocol) ? canonicalize(target) : undefined,
    isPosted: /^post$/i.test(button.attr('formmethod') ?? form.attr('method') ?? ''),
    fields: pressed === undefined ? fields : [...fields, [pressed, button.attr('value') ?? '']],
  }
}

/**
 * Returns the controls of each form: those in it, and those that name it. A form between the rows of a table is empty in
 * the tree, and has the further controls of the table.
 */
function controlsByForm($: ReturnType<typeof htmlTree>) {
  const forms = $('form').toArray()
  const elements = $(`form, ${CONTROLS}`).toArray()
  const owned = new Map<unknown, typeof elements>(forms.map((form) => [form, []]))
  let between: (typeof forms)[number] | undefined
  for (const each of elements) {
    const element = $(each)
    if (owned.has(each)) between = element.parent().is(TABLE_PARTS) ? each : undefined
    const id = element.attr('form')
    const isFurther = between !== undefined && $(between).closest('table').has(each).length > 0
    const owner =
      id === undefined
        ? (element.closest('form')[0] ?? (isFurther ? between : undefined))
        : forms.find((form) => $(form).attr('id') === id)
    if (owner !== each) owned.get(owner)?.push(each)
  }
  return owned
}

/** Returns the text of a page without tags. */
export function textOf(html: string): string {
  return htmlTree(html).root().text()
}
