import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../src/config/config-file.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { configSchema } from '../../src/config/schema.ts'

const EXAMPLE = new URL('../../crawler.config.json', import.meta.url)
const SCHEMA = '../../docs/crawler.schema.json'

/** Returns the schema of the config for editors. Defaults that depend on the machine or the version are left out. */
function jsonSchema(): object {
  return toJsonSchema(configSchema, {
    typeMode: 'input',
    target: 'draft-07',
    errorMode: 'ignore', // JSON Schema can't express some checks, such as that a regular expression compiles.
    overrideSchema({ valibotSchema, jsonSchema }) {
      const { default: _, ...rest } = jsonSchema
      const isComputed = 'default' in valibotSchema && typeof valibotSchema.default === 'function'
      return isComputed ? rest : jsonSchema
    },
  })
}

describe('docs/crawler.schema.json', () => {
  it('describes the config (npx vitest run test/config -u rewrites it)', async () => {
    await expect(`${JSON.stringify(jsonSchema(), null, 2)}\n`).toMatchFileSnapshot(SCHEMA)
  })

  it('has every setting, and no others', async () => {
    const schema = JSON.parse(await readFile(new URL(SCHEMA, import.meta.url), 'utf8'))
    expect(schema).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      additionalProperties: false,
    })
    expect(Object.keys(schema.properties)).toEqual(Object.keys(configSchema.entries))
    expect(schema.properties.workers).not.toHaveProperty('default')
    for (const [name, property] of Object.entries(schema.properties)) {
      if (name !== '$schema') expect(property, name).toHaveProperty('description')
    }
  })
})

describe('the example crawler.config.json', () => {
  it('changes nothing, and names its schema', async () => {
    const { seeds: _, ...config } = resolveConfig(await readConfigFile(fileURLToPath(EXAMPLE)))
    const { seeds: __, ...defaults } = resolveConfig({})
    expect(config).toEqual(defaults)
    const example: { $schema?: string } = JSON.parse(await readFile(EXAMPLE, 'utf8'))
    const { $schema } = example
    expect(new URL($schema ?? '', EXAMPLE).href).toBe(new URL(SCHEMA, import.meta.url).href)
    // `crawl check` has other defaults for these.
    for (const name of ['depth', 'assets', 'external']) expect(example).not.toHaveProperty(name)
  })
})
