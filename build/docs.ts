import { writeFileSync } from 'node:fs'
import { LIBRARY_SETTINGS, librarySettings } from './library-settings.ts'
import { manPages } from './man-page.ts'
import { reference } from './reference.ts'

// npm run docs: generates docs/reference.md, the man pages and the type of the library's settings
writeFileSync(new URL('../docs/reference.md', import.meta.url), await reference())
writeFileSync(LIBRARY_SETTINGS, librarySettings())
for (const [name, page] of await manPages()) {
  writeFileSync(new URL(`../docs/man/${name}`, import.meta.url), page)
}
