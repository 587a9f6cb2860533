import { writeFileSync } from 'node:fs'
import { manPages } from './man-page.ts'
import { reference } from './reference.ts'

// npm run docs: generates docs/reference.md and the man pages
writeFileSync(new URL('../docs/reference.md', import.meta.url), await reference())
for (const [name, page] of await manPages()) {
  writeFileSync(new URL(`../docs/man/${name}`, import.meta.url), page)
}
