import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { MEMORY_PAGES, region } from '../../src/html/wasm-scanner/layout/regions.ts'

const SOURCES = fileURLToPath(new URL('../../src/html/wasm-scanner/', import.meta.url))

/**
 * The kind of build. `release` is optimized. `checked` contains the names of functions, and checks each memory access
 * against its region: it fails where `release` would read or write outside of the region.
 */
export type Build = 'release' | 'checked'

/** Stand-ins for the functions of TypeScript that the module calls. */
const IMPORTS = { imports: { countText: () => 0 } }

const OPTIONS: Readonly<Record<Build, readonly string[]>> = {
  release: ['-O3', '--converge', '--noAssert'],
  checked: ['-O1', '--debug'],
}

/**
 * Compiles the page scanner to WebAssembly. The same sources always produce the same bytes.
 * @param folder the folder that contains `assemblyscript`
 */
export async function compilePageScanner(
  build: Build,
  folder: string = SOURCES,
): Promise<Uint8Array<ArrayBuffer>> {
  let module: Uint8Array<ArrayBuffer> | undefined
  const { error, stderr } = await asc.main(
    [
      ...['assemblyscript/index.ts', '--baseDir', folder, '--outFile', 'page-scanner.wasm'],
      ...['--runtime', 'stub', '--enable', 'simd', '--enable', 'threads', '--use', 'abort='],
      ...['--initialMemory', String(MEMORY_PAGES), '--maximumMemory', String(MEMORY_PAGES)],
      ...OPTIONS[build],
    ],
    {
      writeFile: (_, contents) => {
        if (typeof contents !== 'string') module = Uint8Array.from(contents)
      },
    },
  )
  if (error !== null) throw new Error(`${stderr.toString()}\n${error.message}`)
  if (module === undefined) throw new Error('the compiler wrote no module')
  assertTablesFit(module)
  return module
}

/** Checks that the compiler's tables fit into their region. The compiler places them; the layout places all else. */
function assertTablesFit(module: Uint8Array<ArrayBuffer>): void {
  const { tablesEnd } = new WebAssembly.Instance(new WebAssembly.Module(module), IMPORTS).exports
  const room = region('tables').bytes
  const end: unknown = typeof tablesEnd === 'function' ? tablesEnd() : undefined
  if (typeof end !== 'number' || end > room) {
    throw new Error(`the tables end at ${end}, but have ${room} bytes`)
  }
}
