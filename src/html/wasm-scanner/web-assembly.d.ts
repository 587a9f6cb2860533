/** The part of the WebAssembly JavaScript API that is used. TypeScript has its types only among those for browsers. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>
    constructor(
      module: Module,
      imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    )
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class RuntimeError extends Error {}
}
