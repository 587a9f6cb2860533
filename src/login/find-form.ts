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
  const namesIn = (form: string | Parameters<typeof $>[0]) =>
    new Set(
      $(form)
        .find('[name]')
        .map((_, each) => $(each).attr('name'))
        .get(),
    )
  const form = $(selector)
    .filter((_, each) => names.every((name) => namesIn(each).has(name)))
    .first()
  if (form.length === 0) return undefined
  const base = URL.parse($('base[href]').attr('href') ?? '', url)?.href ?? url
  const buttons = form.find(BUTTONS)
  const enabled = buttons.filter(':enabled')
  // If all buttons are disabled, a script enables one.
  const button = (enabled.length > 0 ? enabled : buttons).first()
  const action = button.attr('formaction') ?? form.attr('action')
  const target = URL.parse(action?.trim() || url, base)
  const pressed = button.attr('name')
  const fields = form.serializeArray().map(({ name, value }) => [name, value] as const)
  return {
    action: target !== null && /^https?:$/.test(target.protocol) ? canonicalize(target) : undefined,
    isPosted: /^post$/i.test(button.attr('formmethod') ?? form.attr('method') ?? ''),
    fields: pressed === undefined ? fields : [...fields, [pressed, button.attr('value') ?? '']],
  }
}

/** Returns the text of a page without tags. */
export function textOf(html: string): string {
  return htmlTree(html).root().text()
}
