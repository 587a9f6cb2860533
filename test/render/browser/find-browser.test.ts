import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { browserPlaces, findBrowser } from '../../../src/render/browser/find-browser.ts'
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
  expect(findBrowser(undefined, { PATH: `/nowhere::${path('bin')}` })).toBe(path('bin/chromium'))
  await install('chromium-headless-shell')
  expect(findBrowser(undefined, { PATH: path('bin') })).toBe(path('bin/chromium-headless-shell'))
})

it('the given browser is used, by a path or a name', async () => {
  await install('brave')
  expect(findBrowser('brave', { PATH: path('bin') })).toBe(path('bin/brave'))
  expect(findBrowser(path('bin/brave'), {})).toBe(path('bin/brave'))
})

it('the error without a browser explains what to install', async () => {
  await install('chromium', 0o644)
  await mkdir(path('bin/google-chrome'))
  expect(() => findBrowser(undefined, { PATH: path('bin') })).toThrow(
    '--render: found no Chromium, Chrome or Edge: install one, such as the package chromium, or pass its path with --browser',
  )
  expect(() => findBrowser('./none', {})).toThrow(
    'browser: expected the path of a program, or its name on the PATH, and found no `./none`',
  )
})

it('a browser of Fedora, which has another name, is found', async () => {
  await install('chromium-browser')
  expect(findBrowser(undefined, { PATH: path('bin') })).toBe(path('bin/chromium-browser'))
})

it('on macOS, applications are found behind the programs on the PATH', () => {
  const places = browserPlaces(undefined, { PATH: '/opt/bin', HOME: '/Users/ada' }, 'darwin')
  expect(places[0]).toBe('/opt/bin/chromium-headless-shell')
  expect(places.slice(-4)).toEqual([
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Users/ada/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    '/Users/ada/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ])
})

it('on Windows, installed browsers are found, and names and paths are those of Windows', () => {
  const local = 'C:\\Users\\ada\\AppData\\Local'
  const environment = {
    PATH: 'C:\\bin;D:\\b',
    ProgramFiles: 'C:\\Program Files',
    LOCALAPPDATA: local,
  }
  expect(browserPlaces(undefined, environment, 'win32').slice(-4)).toEqual([
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    `${local}\\Google\\Chrome\\Application\\chrome.exe`,
    'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
    `${local}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ])
  expect(browserPlaces('brave', environment, 'win32')).toEqual([
    ...['C:\\bin\\brave', 'D:\\b\\brave'],
    ...['C:\\bin\\brave.exe', 'D:\\b\\brave.exe'],
  ])
  const given = 'D:\\brave\\brave.exe'
  expect(browserPlaces(given, environment, 'win32')).toEqual([given])
})
