import { CrawlerError } from '../errors.ts'
import { htmlTree, isSelector } from '../page-data/html-tree.ts'
import { canonicalize } from '../url/canonicalize.ts'

/** A form as a browser would send it, before anybody fills it in. */
export interface FoundForm {
  /** Canonical URL that gets the fields; undefined if it is no http or https URL. */
  readonly action: string | undefined
  /** Fields with values: hidden ones, such as the token against forged requests, and defaults. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The button that is pressed, if it has a name. */
const BUTTONS = 'button:not([type]), button[type="submit" i], input[type="submit" i]'

/**
 * Returns the first form that has all of these fields.
 * @param url of the page
 * @param selector of the form, in place of the fields
 * @throws CrawlerError('usage') for what is no selector
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
  const target = URL.parse(form.attr('action')?.trim() || url, base)
  const button = form.find(BUTTONS).first()
  const pressed = button.attr('name')
  const fields = form.serializeArray().map(({ name, value }) => [name, value] as const)
  return {
    action: target !== null && /^https?:$/.test(target.protocol) ? canonicalize(target) : undefined,
    fields: pressed === undefined ? fields : [...fields, [pressed, button.attr('value') ?? '']],
  }
}

/** Returns the text of a page, without its tags. */
export function textOf(html: string): string {
  return htmlTree(html).root().text()
}
