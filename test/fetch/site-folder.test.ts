import { mkdir, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { siteFolderFor } from '../../src/fetch/site-folder.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

it.each([
  ['https://example.com/', 'https://example.com/'],
  ['https://example.com/project/', 'https://example.com/project/'],
  ['https://example.com/project/page.html?x=/', 'https://example.com/project/'],
  ['https://example.com/docs/page', 'https://example.com/'],
  ['https://example.com/docs', 'https://example.com/'],
  ['https://example.com/project/docs/', 'https://example.com/project/'],
  ['https://example.com/unknown/page.html', 'https://example.com/unknown/'],
])('the folder for %s has the URLs that begin with %s', async (seed, base) => {
  await mkdir(path('docs'))
  for (const name of ['index.html', 'docs/index.html', 'docs/page.html', 'page.html'])
    await writeFile(path(name), '')
  expect(siteFolderFor(path(), seed)).toEqual({ base, path: path() })
})

it('refuses what is no folder', async () => {
  await writeFile(path('file'), '')
  const open = (name: string) => () => siteFolderFor(name, 'https://example.com/')
  expect(open(path('file'))).toThrow(`${path('file')}: expected a folder, got a file`)
  expect(open(path('none'))).toThrow(`${path('none')}: expected a folder, got nothing`)
})
