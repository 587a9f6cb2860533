/** Text of HTML that is safe to put into a page. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type MarkupPart = Markup | string | number | readonly Markup[]

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
}

/** HTML as it stands in the source; whatever is put into it is escaped, save for other markup. */
export function html(literals: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...parts.map(textOf)))
}

function textOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

// Templates that hold the end tag of a script and have a tag of their own need a helper when bundled.

/** A script that stands in the page. @param text must not hold `</` */
export function scriptElement(text: string): Markup {
  return new Markup(`<script>${text}</script>`)
}

/** Data for the script of the page, as JSON: nothing in it can end the element. */
export function dataElement(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  return new Markup(`<script type="application/json" id="${id}">${json}</script>`)
}
