/** Elements that are left out: those without readable text, those whose text is on every page, and the title. */
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
  'audio',
  'video',
] as const
