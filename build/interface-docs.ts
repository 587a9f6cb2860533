/** A field of an interface, as its source tells of it. */
export interface FieldDoc {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string
  /** The comment above it, in one line; empty when there is none. */
  readonly comment: string
}

const FIELD = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?readonly (\w+)(\??): ([^\n]+)/g

/** The fields of an interface, in their order. */
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

/** Members of a union of texts. */
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
