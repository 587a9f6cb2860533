import { writeFileSync } from 'node:fs'
import { manPage } from './man-page.ts'
import { reference } from './reference.ts'

// npm run docs
writeFileSync(new URL('../docs/reference.md', import.meta.url), await reference())
writeFileSync(new URL('../docs/crawl.1', import.meta.url), await manPage())
