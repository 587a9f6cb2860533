import { readFileSync } from 'node:fs'

const manifest: { readonly version: string; readonly homepage: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)

/** Version of this program. */
export const VERSION = manifest.version

/** Page for users and for owners of crawled sites. */
export const HOMEPAGE = manifest.homepage
