/** Classes of elements with nothing but line numbers: Pygments, Sphinx, Doxygen, Rouge, Prism, VitePress and highlight.js. */
export const LINE_NUMBER_CLASSES = [
  ...['linenos', 'linenodiv', 'lineno', 'rouge-gutter', 'hljs-ln-numbers'],
  ...['line-numbers-wrapper', 'line-numbers-rows'],
]
/** Classes that mean line numbers only within code: Chroma, docutils, Expressive Code. */
export const LINE_NUMBER_CLASSES_IN_CODE = ['ln', 'lnt', 'gutter', 'line-number']
/** Matches the text of an element with line numbers. */
export const LINE_NUMBERS = /^[\d\s]+$/

const DOXYGEN_CODE = '<div class="fragment">'

/**
 * Returns a page with the code of Doxygen, which is in `<div>`, in `<pre>`. Its end tag also ends the element around it,
 * which matters to neither text nor Markdown.
 */
export function withDoxygenCode(html: string): string {
  return html.replaceAll(DOXYGEN_CODE, '<pre class="fragment">')
}
