import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Packages that the bundles of dist/ contain. Some are needed at each start, and finding and linking their files would
 * take longer than running them. Of others, only a part is needed. `pino` is also installed, for its types.
 */
export const BUNDLED = [
  ...[
    '@redis/client',
    'commander',
    'd3-force',
    'entities',
    'es-module-lexer',
    'htmlparser2',
    'ipaddr.js',
    'mime',
    'p-queue',
    'pino',
    'turndown',
    'undici',
  ],
  'valibot',
]

/** Packages that the bundled ones depend on, but not the parts of them that are bundled. */
const NOT_BUNDLED = ['@mixmark-io/domino']

/** A package in a bill of materials. */
interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly scope?: string
}

/** The parts of a CycloneDX bill of materials that are read here. */
interface Sbom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/**
 * Returns the bill of materials of the published package: the packages that npm installs with it, and those that its
 * bundles contain. npm's own bill omits the latter, and packages that a tool needs as well.
 */
export function readSbom(): Sbom {
  const { name, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const all = npmSbom()
  const root = all.metadata.component
  const shipped = shippedRefs(all, [...Object.keys(dependencies), ...BUNDLED])
  return {
    ...all,
    metadata: { ...all.metadata, component: { ...root, name } },
    components: all.components.filter((component) => shipped.has(component['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => ref === root['bom-ref'] || shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => shipped.has(to)) })),
  }
}

function npmSbom(): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application']
  const text = execFileSync('npm', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(text)
}

/** Returns packages of the root and all their dependencies, except for optional peers, absent ones and the root's tools. */
function shippedRefs(
  { metadata, components, dependencies }: Sbom,
  names: readonly string[],
): ReadonlySet<string> {
  const absent = components.filter(
    ({ name, scope }) => scope === 'optional' || NOT_BUNDLED.includes(name),
  )
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const direct = edges.get(metadata.component['bom-ref']) ?? []
  const isNamed = (ref: string) => names.includes(ref.replace(/@[^@]*$/, ''))
  const shipped = new Set(direct.filter(isNamed))
  const tools = direct.filter((ref) => !isNamed(ref))
  const left = new Set([...absent.map((component) => component['bom-ref']), ...tools])
  for (const ref of shipped) {
    for (const to of edges.get(ref) ?? []) if (!left.has(to)) shipped.add(to)
  }
  return shipped
}

// node build/sbom.ts <file>: writes the bill of materials to a file
const [, script = '', file] = process.argv
if (import.meta.filename === script && file !== undefined) {
  writeFileSync(file, `${JSON.stringify(readSbom(), null, 2)}\n`)
}
