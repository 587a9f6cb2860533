import { writeFileSync } from 'node:fs'
import { reference } from './reference.ts'

// npm run docs
writeFileSync(new URL('../docs/reference.md', import.meta.url), await reference())
