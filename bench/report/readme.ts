import { readFileSync, writeFileSync } from 'node:fs'

const readme = new URL('../README.md', import.meta.url)

/** Writes Markdown between the markers `<!-- name -->` and `<!-- /name -->` of bench/README.md. */
export function writeSection(name: string, markdown: string): void {
  putSection(readme, name, markdown)
}

/** Writes Markdown between the markers of any page. */
export function putSection(page: URL, name: string, markdown: string): void {
  const text = readFileSync(page, 'utf8')
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [from, to] = [text.indexOf(open), text.indexOf(close)]
  if (from < 0 || to < from) throw new Error(`${page.pathname} has no section ${open} ... ${close}`)
  const start = text.slice(0, from + open.length)
  writeFileSync(page, `${start}\n\n${markdown.trim()}\n\n${text.slice(to)}`)
}

/** Returns a Markdown table. All columns but the first contain numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
