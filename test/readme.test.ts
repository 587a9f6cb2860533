import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { configSchema } from '../src/config/schema.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, it = '']) => it)

/** Text of a page from a heading to the next one of its kind. */
function section(path: string, heading: string): string {
  return (
    read(path)
      .split(/^## /m)
      .find((part) => part.startsWith(heading)) ?? ''
  )
}

/** What an editor checks a config file with. Checks that JSON Schema can't express are left out. */
function editorSchema(): string {
  const schema = toJsonSchema(configSchema, { typeMode: 'input', errorMode: 'ignore' })
  // These depend on the machine and on the version.
  for (const name of ['workers', 'userAgent']) delete Object(schema.properties?.[name]).default
  return `${JSON.stringify(schema, null, 2)}\n`
}

describe('the README', () => {
  it('lists the options of --help, in their order', () => {
    const flags = createProgram('1').options.map(({ flags }) => flags)
    const listed = all(section('README.md', 'Options'), /^\| `(-[^`]+)` \|/gm)
    const last = ['-V, --version', '-h, --help']
    expect(listed).toEqual([...flags.filter((flag) => !last.includes(flag)), ...last])
  })

  it('lists the fields of a visit, in their order', () => {
    const visit = /interface Visit \{([\s\S]*?)\n\}/.exec(read('src/wire/visit.ts'))?.[1] ?? ''
    const fields = all(visit, /^ {2}readonly (\w+)/gm)
    expect(all(section('README.md', 'The visit record'), /^\| `(\w+)` \|/gm)).toEqual(fields)
  })

  it('names the exit codes', () => {
    const codes = all(read('src/cli/exit-code.ts'), /: (\d+),/g)
    expect(all(section('README.md', 'Logs and exit codes'), /^\| (\d+) \|/gm)).toEqual(codes)
  })
})

describe('the docs', () => {
  it('explain every setting', () => {
    const settings = Object.keys(configSchema.entries).filter((name) => name !== '$schema')
    const explained = all(read('docs/configuration.md'), /^\| `(\w+)` \|/gm)
    expect(explained.toSorted()).toEqual(settings.toSorted())
  })

  it('hold the schema of a config file; vitest -u renews it', async () => {
    await expect(editorSchema()).toMatchFileSnapshot('../docs/crawler.schema.json')
  })

  it('explain every error code', () => {
    const codes = all(read('src/wire/error-code.ts'), /^ {2}\| '([\w-]+)'/gm)
    expect(all(read('docs/errors.md'), /^\| `([\w-]+)` \|/gm)).toEqual(codes)
  })

  it('explain every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    const explained = all(read('docs/dependencies.md'), /^\| (`[^|]+`) \|/gm)
    expect(all(explained.join(), /`([^`]+)`/g).toSorted()).toEqual(names.toSorted())
  })

  it('name files that are there', () => {
    const pages = readdirSync(new URL('docs/', root)).filter((name) => name.endsWith('.md'))
    const named = ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
      all(read(page), /\]\((?!https?:)([^)#]+)/g).map((path) => new URL(path, new URL(page, root))),
    )
    expect(named.filter((url) => !existsSync(url)).map(String)).toEqual([])
    expect(named.length).toBeGreaterThan(5)
  })
})
