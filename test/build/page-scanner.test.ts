import { cpSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { compilePageScanner } from '../../build/page-scanner/compile.ts'
import { constantsSource } from '../../build/page-scanner/constants.ts'
import { WASM as CHECKED } from '../../src/html/wasm-scanner/generated/checked.ts'
import { WASM } from '../../src/html/wasm-scanner/generated/release.ts'
import { IN_SOAK } from '../support/soak.ts'

const SOURCES = fileURLToPath(new URL('../../src/html/wasm-scanner/', import.meta.url))
const MOST_BYTES = 40_000

// It compiles the scanner once more, which takes seconds.
if (IN_SOAK) {
  it('the page scanner compiles to the committed module, byte for byte, in any folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'page-scanner-'))
    cpSync(join(SOURCES, 'assemblyscript'), join(folder, 'assemblyscript'), { recursive: true })
    const module = await compilePageScanner('release', folder)
    await rm(folder, { recursive: true })
    expect(Buffer.from(module).toString('base64')).toBe(WASM)
  })
}

it('the released page scanner is small, and leaves out the bounds checks of tests', () => {
  const [release, checked] = [WASM, CHECKED].map((text) => Buffer.from(text, 'base64'))
  expect(release?.length).toBeLessThan(MOST_BYTES)
  expect(checked?.includes('openPage')).toBe(true)
  expect(release?.includes('openPage')).toBe(false)
})

it('the generated constants of the page scanner match its layout', () => {
  expect(readFileSync(join(SOURCES, 'assemblyscript/generated/constants.ts'), 'utf8')).toBe(
    constantsSource(),
  )
})
