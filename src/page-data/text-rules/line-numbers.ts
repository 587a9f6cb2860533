/** Classes of elements with nothing but line numbers: Pygments, Sphinx, Doxygen, Rouge, Prism, VitePress and highlight.js. */
export const LINE_NUMBER_CLASSES = [
  ...['linenos', 'linenodiv', 'lineno', 'rouge-gutter', 'hljs-ln-numbers'],
  ...['line-numbers-wrapper', 'line-numbers-rows'],
]
/** Classes that mean line numbers only within code: Chroma, docutils, Expressive Code. */
export const LINE_NUMBER_CLASSES_IN_CODE = ['ln', 'lnt', 'gutter', 'line-number']
/** Matches the text of an element with line numbers. */
export const LINE_NUMBERS = /^[\d\s]+$/
