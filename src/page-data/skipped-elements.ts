/** Elements without text, or with text that is the same on every page. */
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
