/** The functions that assemblyscript/index.ts exports, which are documented there, and their memory. */
export interface ScannerModule {
  readonly memory: WebAssembly.Memory
  addLink(kind: number, target: number, nofollow: number): number
  forget(): void
  numberOf(length: number): number
  prescan(length: number): void
  reportLinks(options: number, depth: number): void
  resolveLinks(baseLength: number, encoding: number): number
  scan(length: number, options: number, maxLinks: number): number
  setLinkTarget(link: number, target: number, isCacheable: number): void
  useKey(first: bigint, second: bigint): void
  useMetaNames(count: number): void
}

const FUNCTIONS = [
  ...['addLink', 'forget', 'numberOf', 'prescan', 'reportLinks', 'resolveLinks', 'scan'],
  ...['setLinkTarget', 'useKey', 'useMetaNames'],
]

/** Creates an instance of the module, with its own memory. */
export function instantiate(base64: string): ScannerModule {
  const bytes = Buffer.from(base64, 'base64')
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes))
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
