import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { manPages } from '../build/man-page.ts'
import { reference } from '../build/reference.ts'
import { createProgram } from '../src/cli/options/crawl-options.ts'
import { settingsThatDecide } from '../src/config/changed-settings.ts'
import { configSchema } from '../src/config/schema.ts'
import { csvFormat } from '../src/formats/per-visit/csv.ts'
import { LAZY_ATTRIBUTES } from '../src/html/style-sheet/lazy-images.ts'
import { HOPS } from '../src/records/crawl-url.ts'
import { SKIP_REASONS } from '../src/records/skip.ts'
import { allColumns } from '../src/records/visit-columns.ts'
import { CANONICAL_RULES } from '../src/url/canonical-rules.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, it = '']) => it)

/** Returns the names in the first column of a section's tables. */
const rows = (path: string, heading: string) => all(section(path, heading), /^\| `([^`]+)` \|/gm)

/** Returns the fields of an interface that describes a record. */
function fieldsOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name} \\{([^]*?)\\n\\}`).exec(read(path)) ?? []
  return all(body, /^ {2}readonly (\w+)/gm)
}

/** Returns the text from a heading to the next one of its level. */
function section(path: string, heading: string): string {
  return (
    read(path)
      .split(/^## /m)
      .find((part) => part.startsWith(heading)) ?? ''
  )
}

describe('the README', () => {
  it('mentions only options that exist', () => {
    const flags = createProgram('1').options.map(({ long }) => long)
    const named = all(section('README.md', 'Options'), /(--[a-z][a-z-]+)/g)
    expect(named.filter((flag) => flag !== '--help' && !flags.includes(flag))).toEqual([])
    expect(named.length).toBeGreaterThan(8)
  })
})

describe('the docs', () => {
  it('list the fields of a visit, in order', () => {
    expect(rows('docs/record.md', '# The visit record')).toEqual(
      fieldsOf('src/records/visit.ts', 'Visit'),
    )
  })

  it('name every value of hop', () => {
    const row = /^\| `hop` \|.+$/m.exec(read('docs/record.md'))?.[0] ?? ''
    expect(all(row, /`(\w+)`/g)).toEqual(['hop', ...HOPS])
  })

  it('list the exit codes', () => {
    const codes = all(read('src/cli/exit-code.ts'), /: (\d+),/g)
    expect(all(section('docs/logs.md', 'Exit codes'), /^\| (\d+) \|/gm)).toEqual(codes)
  })

  it('explain every setting', () => {
    const settings = Object.keys(configSchema.entries).filter((name) => name !== '$schema')
    const explained = all(read('docs/configuration.md'), /^\| `(\w+)` \|/gm)
    expect(explained.toSorted()).toEqual(settings.toSorted())
  })

  it('list the settings that may change on resume, and those that processes of a job share', () => {
    const text = section('docs/state.md', 'What may change')
    const listed = all(text, /^\| [\w ]+ \| (`.+) \|$/gm).map((row) => all(row, /`(\w+)`/g))
    const kinds = ['urls', 'records', 'seen', 'files'] as const
    expect(listed.map((names) => names.toSorted())).toEqual(
      kinds.map((kind) => settingsThatDecide(kind).toSorted()),
    )
    const [, manners = ''] = /hosts are treated:\s([^.]+)\./.exec(read('docs/redis.md')) ?? []
    expect(all(manners, /`(\w+)`/g).toSorted()).toEqual(settingsThatDecide('politeness').toSorted())
  })

  it('explain every rule of --canonicalize, in the order in which they are applied', () => {
    expect(rows('docs/links.md', 'One page, one URL')).toEqual(CANONICAL_RULES)
  })

  it('explain every field and reason of --skipped, in the order in which they are checked', () => {
    const fields = fieldsOf('src/records/skip.ts', 'Skip')
    expect(rows('docs/links.md', 'Skipped URLs')).toEqual([...fields, ...SKIP_REASONS])
  })

  it('explain every error code', () => {
    const codes = all(read('src/records/error-code.ts'), /^ {2}\| '([\w-]+)'/gm)
    expect(all(read('docs/errors.md'), /^\| `([\w-]+)` \|/gm)).toEqual(codes)
  })

  it('explain every format', () => {
    const formats = configSchema.entries.format.pipe[0].wrapped.options
    expect(rows('docs/formats.md', '# Output formats')).toEqual(formats)
  })

  it('name every CSV column, in order', () => {
    const columns = all(/^`url`[\s\S]*?`\.$/m.exec(read('docs/formats.md'))?.[0] ?? '', /`(\w+)`/g)
    expect(`${columns.join()}\r\n`).toBe(csvFormat(allColumns([])).head)
  })

  it('name every attribute from which scripts load images', () => {
    const table = section('docs/check.md', 'What is checked')
    expect([...LAZY_ATTRIBUTES].filter((name) => !table.includes(`\`${name}\``))).toEqual([])
  })

  it('explain every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    const explained = all(read('docs/dependencies.md'), /^\| (`[^|]+`) \|/gm)
    expect(all(explained.join(), /`([^`]+)`/g).toSorted()).toEqual(names.toSorted())
  })

  it('match the command line in the man pages (npm run docs)', async () => {
    const pages = await manPages()
    const names = [...pages.keys()].toSorted()
    expect(readdirSync(new URL('docs/man/', root)).toSorted()).toEqual(names)
    for (const [name, page] of pages) expect(read(`docs/man/${name}`)).toBe(page)
    const { man } = JSON.parse(read('package.json'))
    expect(man.toSorted()).toEqual(names.map((name) => `docs/man/${name}`))
  })

  it('match the code in docs/reference.md (npm run docs rewrites it)', async () => {
    expect(read('docs/reference.md')).toBe(await reference())
  })

  it('are listed in their index, each page once', () => {
    const pages = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
    const [index = ''] = read('docs/README.md').split('## The project').toReversed().slice(1)
    expect(all(index.slice(index.indexOf('## Tutorial')), /\]\(([^)]+)\)/g).toSorted()).toEqual(
      pages.toSorted(),
    )
  })

  it('mention only files that exist', () => {
    const pages = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'))
    const named = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
      all(read(page), /\]\((?!https?:)([^)#]+)/g).map((path) => new URL(path, new URL(page, root))),
    )
    expect(named.filter((url) => !existsSync(url)).map(String)).toEqual([])
    expect(named.length).toBeGreaterThan(5)
  })
})
