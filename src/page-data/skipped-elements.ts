/** Elements that hold nothing of the text, or what is the same on every page. */
export const SKIPPED_ELEMENTS = [
  'title',
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'svg',
  'iframe',
  'canvas',
] as const
