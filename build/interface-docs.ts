/** The documentation of an interface's field, from its source. */
export interface FieldDoc {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string
  /** The comment above the field, in one line; empty if there is none. */
  readonly comment: string
}

const FIELD = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?readonly (\w+)(\??): ([^\n]+)/g

/** Returns the fields of an interface, in their order. */
export function fieldsOf(source: string, name: string): FieldDoc[] {
  const [, body = ''] =
    new RegExp(`interface ${name}(?: extends [^{]+)? \\{([\\s\\S]*?)\\n\\}`).exec(source) ?? []
  return [...body.matchAll(FIELD)].map(([, comment = '', field = '', mark, type = '']) => ({
    name: field,
    isOptional: mark === '?',
    type,
    comment: inOneLine(comment),
  }))
}

/** Returns the members of a union of string literals. */
export function textsOf(source: string, name: string): string[] {
  const [, body = ''] = new RegExp(`type ${name} =([^;]*?)(?:\\n\\n|\\n$|$)`).exec(source) ?? []
  return [...body.matchAll(/'([^']+)'/g)].map(([, text = '']) => text)
}

function inOneLine(comment: string): string {
  return comment
    .replace(/\s*\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
