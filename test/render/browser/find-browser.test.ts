import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { findBrowser } from '../../../src/render/browser/find-browser.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()

async function install(name: string, mode = 0o755): Promise<void> {
  await mkdir(path('bin'), { recursive: true })
  await writeFile(path(`bin/${name}`), '')
  await chmod(path(`bin/${name}`), mode)
}

it('the smallest browser on the PATH is found', async () => {
  await install('google-chrome')
  await install('chromium')
  expect(findBrowser(undefined, `/nowhere::${path('bin')}`)).toBe(path('bin/chromium'))
  await install('chromium-headless-shell')
  expect(findBrowser(undefined, path('bin'))).toBe(path('bin/chromium-headless-shell'))
})

it('the given browser is used, by a path or a name', async () => {
  await install('brave')
  expect(findBrowser('brave', path('bin'))).toBe(path('bin/brave'))
  expect(findBrowser(path('bin/brave'), '')).toBe(path('bin/brave'))
})

it('the error without a browser explains what to install', async () => {
  await install('chromium', 0o644)
  await mkdir(path('bin/google-chrome'))
  expect(() => findBrowser(undefined, path('bin'))).toThrow(
    'render: found none of chromium-headless-shell, chromium, google-chrome: install the package chromium-headless-shell or chromium, or pass the path of a browser with --browser',
  )
  expect(() => findBrowser('./none', '')).toThrow(
    'browser: expected the path of a program, or its name on the PATH, and found no `./none`',
  )
})
