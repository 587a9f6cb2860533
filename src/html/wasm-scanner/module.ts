/** The functions that assemblyscript/index.ts exports, which are documented there, and their memory. */
export interface ScannerModule {
  readonly memory: WebAssembly.Memory
  addLink(kind: number, target: number, nofollow: number): number
  forget(): void
  hasNewContent(urlLength: number): number
  numberOf(length: number): number
  prescan(length: number): void
  reportLinks(options: number, depth: number): void
  resolveLinks(baseLength: number, encoding: number): number
  scan(length: number, options: number, maxLinks: number): number
  setLinkTarget(link: number, target: number, isCacheable: number): void
  useKey(first: bigint, second: bigint): void
  useMetaNames(count: number): void
  useTextKey(key: number): void
}

const FUNCTIONS = [
  ...[
    'addLink',
    'forget',
    'hasNewContent',
    'numberOf',
    'prescan',
    'reportLinks',
    'resolveLinks',
    'scan',
  ],
  ...['setLinkTarget', 'useKey', 'useMetaNames', 'useTextKey'],
]

/** The functions that the module calls, which assemblyscript/imports.ts documents. */
export interface ScannerImports {
  countText(first: number, second: number): number
}

/** Creates an instance of the module, with its own memory. */
export function instantiate(base64: string, { countText }: ScannerImports): ScannerModule {
  const bytes = Buffer.from(base64, 'base64')
  const imports = { imports: { countText } }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports)
  if (!isScannerModule(exports)) {
    throw new Error('the page scanner is out of date: run `npm run build`')
  }
  return exports
}

function isScannerModule(exports: object): exports is ScannerModule {
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(exports))
  return (
    members.get('memory') instanceof WebAssembly.Memory &&
    FUNCTIONS.every((name) => typeof members.get(name) === 'function')
  )
}
