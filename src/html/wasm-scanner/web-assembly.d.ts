/** What is used of the WebAssembly JavaScript API: its types come with those of browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>
    constructor(module: Module)
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class RuntimeError extends Error {}
}
