import { TokenReader } from '../html/token-reader.ts'

/** Elements whose text is not visible on the page. */
const HIDDEN: ReadonlySet<string> = new Set(
  'script style template title iframe noembed noframes'.split(' '),
)
/** A character of a script without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/v
/**
 * A word, or an unspaced character, even next to other letters or digits. Words are bounded, because V8 runs out of stack
 * after millions of repetitions.
 */
const WORD = new RegExp(
  `${UNSPACED.source}|[[\\p{L}\\p{M}\\p{N}]--${UNSPACED.source}]{1,1000}`,
  'gv',
)

/** Returns the visible words of an HTML page outside `<nav>`, in lower case and in their order, at most `most` of them. */
export function visibleWords(html: string, most: number): string[] {
  const reader = new TextReader(html, most)
  reader.read()
  return reader.words
}

/** Collects the words between tags. Those in `<nav>` are dropped at its end tag, so that one without it costs no others. */
class TextReader extends TokenReader {
  readonly words: string[] = []
  readonly #most: number
  #text = ''
  /** The name of the hidden element that is open. */
  #hidden: string | undefined
  /** Number of open elements of that name, each in the one before. */
  #depth = 0
  /** Number of open `<nav>`. */
  #navs = 0
  /** Number of words before the outermost of them. */
  #wordsBeforeNav = 0

  constructor(html: string, most: number) {
    super(html)
    this.#most = most
  }

  override ontext(start: number, end: number): void {
    if (this.#hidden === undefined) this.#text += this.html.slice(start, end)
  }

  override ontextentity(codepoint: number): void {
    if (this.#hidden === undefined) this.#text += String.fromCodePoint(codepoint)
  }

  protected override onTagName(): void {
    this.#flush()
    if (this.tag === 'nav') this.#openNav()
    if (HIDDEN.has(this.tag)) this.#hidden ??= this.tag
    if (this.tag === this.#hidden) this.#depth++
  }

  protected override onStartTag(_: number, isEmpty: boolean): void {
    if (isEmpty) this.#close(this.tag)
  }

  protected override onEndTag(tag: string): void {
    this.#flush()
    if (tag === 'nav') this.#closeNav()
    this.#close(tag)
  }

  override onend(): void {
    this.#flush()
  }

  #openNav(): void {
    if (this.#hidden === undefined && this.#navs++ === 0) this.#wordsBeforeNav = this.words.length
  }

  #closeNav(): void {
    if (this.#hidden !== undefined || this.#navs === 0) return
    if (--this.#navs === 0) this.words.length = this.#wordsBeforeNav
  }

  #close(name: string): void {
    if (name === this.#hidden && --this.#depth === 0) this.#hidden = undefined
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    if (this.words.length >= this.#most) return
    for (const [word] of text.matchAll(WORD)) {
      if (this.words.push(word.toLowerCase()) >= this.#most) return
    }
  }
}
