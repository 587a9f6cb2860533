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

/** The functions that the module calls, which assemblyscript/imports.ts documents. */
export interface ScannerImports {
  countText(first: number, second: number): number
}

/** Creates an instance of the module, with its own memory. */
export function instantiate(base64: string, { countText }: ScannerImports): ScannerModule {
  const module = new WebAssembly.Module(Buffer.from(base64, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { imports: { countText } })
  return exports as unknown as ScannerModule
}
