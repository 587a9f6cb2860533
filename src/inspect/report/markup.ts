/** HTML that is safe to insert into a page. */
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

/** Builds HTML from a template; inserted values are escaped, unless they are markup. */
export function html(literals: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...parts.map(textOf)))
}

function textOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('')
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

// The functions below don't use `html`: the bundler adds a helper to tagged templates that contain `</script>`.

/** Creates an inline script. @param text must not contain `</` */
export function scriptElement(text: string): Markup {
  return new Markup(`<script>${text}</script>`)
}

/** Embeds data for the page's script as JSON; no value can end the element. */
export function dataElement(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  return new Markup(`<script type="application/json" id="${id}">${json}</script>`)
}
