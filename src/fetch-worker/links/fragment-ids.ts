import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { detachedCopy } from '../../encoding/detached-copy.ts'

/** Maximum number of names that are kept of a page, and of characters of a name. */
const MAX_NAMES = 100_000
const MAX_NAME = 2_000

/**
 * Returns the possible targets of fragments in a page (HTML standard, "find a potential indicated element"), without
 * duplicates: the `id` of any element, and the `name` of an `a`.
 */
export function fragmentIdsOf(html: string): string[] {
  const reader = new AnchorReader(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader)
  tokenizer.write(html)
  tokenizer.end()
  return [...reader.names]
}

/** Collects the attributes that a fragment may refer to. */
class AnchorReader implements TokenizerCallbacks {
  readonly names = new Set<string>()
  readonly #html: string
  #isLink = false
  #isName = false
  #value = ''

  constructor(html: string) {
    this.#html = html
  }

  onopentagname(start: number, end: number): void {
    this.#isLink = end - start === 1 && /^a$/i.test(this.#html.slice(start, end))
  }

  onattribname(start: number, end: number): void {
    const length = end - start
    const name = length === 2 || length === 4 ? this.#html.slice(start, end).toLowerCase() : ''
    this.#isName = name === 'id' || (name === 'name' && this.#isLink)
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    if (this.#isName) this.#add(this.#html.slice(start, Math.min(end, start + MAX_NAME)))
  }

  onattribentity(codepoint: number): void {
    if (this.#isName) this.#add(String.fromCodePoint(codepoint))
  }

  onattribend(): void {
    const isKept = this.#isName && this.#value !== '' && this.names.size < MAX_NAMES
    if (isKept) this.names.add(detachedCopy(this.#value))
    this.#isName = false
  }

  #add(text: string): void {
    if (this.#value.length < MAX_NAME) this.#value += text
  }

  oncdata(): void {}
  onclosetag(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
  onselfclosingtag(): void {}
  ontext(): void {}
  ontextentity(): void {}
}
