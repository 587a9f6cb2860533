import { WASM } from '../../src/html/wasm-scanner/generated/release.ts'

/**
 * V8 shares the code of a module between threads while one of them has it. Each crawl starts new threads, which would
 * compile the page scanner again. This thread outlives them, so it keeps the module.
 */
export const compiled = new WebAssembly.Module(Buffer.from(WASM, 'base64'))
