import { createRequire } from 'node:module'
import { WASM } from '../../src/html/wasm-scanner/generated/release.ts'

/** Where undici keeps its parser of HTTP/1: for processors with and without SIMD. */
const PARSERS = ['undici/lib/llhttp/llhttp_simd-wasm.js', 'undici/lib/llhttp/llhttp-wasm.js']

const require = createRequire(import.meta.url)

/**
 * V8 shares the code of a module between threads while one of them has it. Each crawl starts new threads, whose
 * compiling of the parser is a fifth of what a small crawl costs: so this thread, which outlives them, has it too, and
 * the page scanner.
 */
export const compiled = [...PARSERS.map((path) => require(path)), Buffer.from(WASM, 'base64')].map(
  (bytes) => new WebAssembly.Module(bytes),
)
