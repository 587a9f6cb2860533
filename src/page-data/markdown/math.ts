import { hasClassOf, type MarkdownNode, type MarkdownRule } from './markdown-node.ts'

/** Matches TeX in the delimiters that MathJax looks for. */
const DELIMITED = /^\s*\\([([])(.*)\\[)\]]\s*$/s
const TEX_SCRIPT = /^math\/tex\b/
/** Classes of elements with delimited TeX: Sphinx and Pandoc, MkDocs. */
const isMath = hasClassOf(['math', 'arithmatex'])

/** TeX, and whether it is shown in a block of its own. */
interface Formula {
  readonly tex: string
  readonly isBlock: boolean
}

/** Writes formulas as TeX between dollar signs, as GitHub, Pandoc and others read it. */
export const math: MarkdownRule = {
  filter: (node) => formulaOf(node) !== undefined,
  replacement(content, node) {
    const formula = formulaOf(node)
    return formula ? writtenFormula(formula) : content
  },
}

function writtenFormula({ tex, isBlock }: Formula): string {
  const line = tex.replace(/\s+/g, ' ').trim()
  return isBlock ? `\n\n$$\n${line}\n$$\n\n` : `$${line}$`
}

function formulaOf(node: MarkdownNode): Formula | undefined {
  if (node.nodeName.toUpperCase() === 'MATH') return mathMlFormula(node)
  if (node.nodeName === 'SCRIPT') return scriptFormula(node)
  return isMath(node) ? delimitedFormula(node) : undefined
}

function mathMlFormula(node: MarkdownNode): Formula | undefined {
  const [annotation] = node.descendants(isTex)
  const tex = annotation?.textContent ?? node.getAttribute('alttext') ?? ''
  if (tex.trim() === '') return undefined
  return { tex, isBlock: node.getAttribute('display') === 'block' }
}

function scriptFormula(node: MarkdownNode): Formula | undefined {
  const type = node.getAttribute('type') ?? ''
  if (!TEX_SCRIPT.test(type)) return undefined
  return { tex: node.textContent, isBlock: type.includes('mode=display') }
}

function delimitedFormula(node: MarkdownNode): Formula | undefined {
  const [, open, tex] = DELIMITED.exec(node.textContent) ?? []
  return tex === undefined ? undefined : { tex, isBlock: open === '[' }
}

function isTex(element: MarkdownNode): boolean {
  const isAnnotation = element.nodeName === 'annotation'
  return isAnnotation && element.getAttribute('encoding') === 'application/x-tex'
}
