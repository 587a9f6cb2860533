import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteFiles } from './site.ts'

interface DebianSite extends SiteFiles {
  readonly package: string
}

/** Documentation of Debian packages: pages that were not written for a benchmark. */
const debianSites: readonly DebianSite[] = [
  {
    name: 'cppreference',
    package: 'cppreference-doc-en-html',
    root: '/usr/share/cppreference/doc/html',
    seed: '/en/index.html',
  },
  {
    name: 'jdk',
    package: 'openjdk-17-doc',
    root: '/usr/share/doc/openjdk-17-doc',
    seed: '/api/index.html',
  },
  {
    name: 'boost',
    package: 'libboost1.81-doc',
    root: '/usr/share/doc/libboost1.81-doc/doc',
    seed: '/html/index.html',
  },
  {
    name: 'rust',
    package: 'rust-doc',
    root: '/usr/share/doc/rust-doc/html',
    seed: '/index.html',
  },
]

/** Returns the sites that are installed. Prints to stderr how to install the others. */
export function installedSites(): readonly SiteFiles[] {
  const present = (site: DebianSite) => existsSync(join(site.root, site.seed))
  const missing = debianSites.filter((site) => !present(site)).map((site) => site.package)
  if (missing.length > 0) {
    // By default, minimal images omit documentation when they install packages.
    const option = "-o DPkg::Options::=--path-include='/usr/share/doc/*'"
    console.error(`Not installed: apt-get install ${option} ${missing.join(' ')}`)
  }
  return debianSites.filter(present)
}
