import { readFileSync } from 'node:fs'

const manifest: { readonly version: string; readonly homepage: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** Version of this program. */
export const VERSION = manifest.version

/** Where its users, and the owners of crawled sites, read about it. */
export const HOMEPAGE = manifest.homepage
