/** The parts of Turndown that are used. Its own types are for trees of browsers. */
declare module 'turndown/lib/turndown.browser.cjs.js' {
  /** Converts elements to Markdown. The first rule whose filter matches an element converts it. */
  interface TurndownRule<Node> {
    /** The name of the elements, or several. */
    readonly filter: string | readonly string[] | ((node: Node, options: Options) => boolean)
    readonly replacement?: (content: string, node: Node, options: Options) => string
  }

  interface Options {
    readonly headingStyle: 'atx'
    readonly codeBlockStyle: 'fenced'
  }

  /** @typeParam Node elements and texts, with the parts of the DOM that Turndown needs */
  export default class Turndown<Node> {
    /** The rules, in the order in which they are tried. */
    readonly rules: { readonly array: readonly TurndownRule<Node>[] }

    constructor(options: Options)

    /** Escapes a text, which may be replaced to escape more. */
    escape(text: string): string

    /** Adds a rule before all others. */
    addRule(name: string, rule: TurndownRule<Node>): this

    turndown(root: Node): string
  }
}
