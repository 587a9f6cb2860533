import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toJsonSchema } from '@valibot/to-json-schema'
import { describe, expect, it } from 'vitest'
import { readConfigFile } from '../../src/config/config-file.ts'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import { configSchema } from '../../src/config/schema.ts'

const EXAMPLE = new URL('../../crawler.config.json', import.meta.url)
const SCHEMA = '../../docs/crawler.schema.json'

/** The config as editors understand it; what depends on machine or version is no default here. */
function jsonSchema(): object {
  return toJsonSchema(configSchema, {
    typeMode: 'input',
    target: 'draft-07',
    errorMode: 'ignore', // what JSON Schema can't say, such as whether a regular expression compiles
    overrideSchema({ valibotSchema, jsonSchema }) {
      const { default: _, ...rest } = jsonSchema
      const isComputed = 'default' in valibotSchema && typeof valibotSchema.default === 'function'
      return isComputed ? rest : jsonSchema
    },
  })
}

describe('docs/crawler.schema.json', () => {
  it('says what the config may hold (npx vitest run test/config -u writes it anew)', async () => {
    await expect(`${JSON.stringify(jsonSchema(), null, 2)}\n`).toMatchFileSnapshot(SCHEMA)
  })

  it('knows every setting, and takes no other', async () => {
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

describe('crawler.config.json', () => {
  it('changes nothing, and names its schema', async () => {
    const { seeds: _, ...config } = resolveConfig(await readConfigFile(fileURLToPath(EXAMPLE)))
    const { seeds: __, ...defaults } = resolveConfig({})
    expect(config).toEqual(defaults)
    const { $schema }: { $schema?: string } = JSON.parse(await readFile(EXAMPLE, 'utf8'))
    expect(new URL($schema ?? '', EXAMPLE).href).toBe(new URL(SCHEMA, import.meta.url).href)
  })
})
