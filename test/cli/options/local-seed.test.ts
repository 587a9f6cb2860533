import { mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { seedSettings } from '../../../src/cli/options/local-seed.ts'
import { callCrawl } from '../../support/call-cli.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()

beforeEach(async () => {
  await mkdir(path('build/docs'), { recursive: true })
  await writeFile(path('build/index.html'), '<a href=/docs>Docs</a><a href=/gone>Gone</a>')
  await writeFile(path('build/docs/ä b.html'), '<a href=/>Start</a>')
  await writeFile(path('build/docs/index.html'), '<title>Docs</title>')
})

describe('a folder as a seed', () => {
  it('stands for a site with its pages', async () => {
    const run = await callCrawl([path('build'), '-q', '--print', '{status} {url} {title}'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(
      run.stdout
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ).toEqual([
      '200 http://localhost/ -',
      '200 http://localhost/docs/ Docs',
      '301 http://localhost/docs -',
      '404 http://localhost/gone -',
    ])
  })

  it('is checked by crawl check, whose exit code is 8 for broken links', async () => {
    const run = await callCrawl(['check', path('build'), '-q'])
    expect(run).toMatchObject({ code: 8, stderr: '' })
    expect(run.stdout).toContain('broken    http://localhost/gone  404 Not Found')
  })

  it('may be a lone word, unlike a host', async () => {
    const run = await callCrawl(['build', '-q', '--print', '{url}'], '', { cwd: path() })
    expect(run).toMatchObject({ code: 0, stderr: '' })
  })

  it('takes the place of another site with --folder', async () => {
    const args = ['https://example.com/', '--folder', path('build'), '-q', '-f', 'txt', '-o', '-']
    const run = await callCrawl(args)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout.split('\n').sort()).toEqual([
      '',
      'https://example.com/',
      'https://example.com/docs/',
    ])
  })
})

describe('the settings for seeds', () => {
  const LOCAL = 'http://localhost/'

  it.each([
    ['a folder', () => path('build'), LOCAL, ''],
    ['a file: URL of a folder', () => pathToFileURL(path('build')).href, LOCAL, ''],
    ['a page', () => path('build/docs/ä b.html'), `${LOCAL}%C3%A4%20b.html`, '/docs'],
  ])('of %s are those of a site in its folder', (_, seedOf, seed, folder) => {
    const settings = { seeds: [seed], folder: `${path('build')}${folder}` }
    expect(seedSettings([seedOf()], {})).toEqual(settings)
  })

  it('of URLs, and of names that are no folder, are the seeds as typed', () => {
    for (const seeds of [
      ['example.com', 'nothing/'],
      [path('none')],
      ['file://host/x', 'file:///a%2Fb', '\0'],
    ])
      expect(seedSettings(seeds, {})).toEqual({ seeds })
    expect(seedSettings([], {})).toEqual({})
  })

  it('refuse a folder among other seeds, and beside --folder', () => {
    const folder = path('build')
    expect(() => seedSettings([folder, 'example.com'], {})).toThrow(
      `${folder}: expected a folder as the only seed, got further seeds`,
    )
    expect(() => seedSettings([folder], { folder })).toThrow('as the only seed, got --folder')
  })
})
