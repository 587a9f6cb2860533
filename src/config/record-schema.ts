import * as v from 'valibot'

type NameSchema = v.GenericSchema<string, string | number | symbol>

/** Names that Valibot silently drops from objects. */
const DROPPED_NAMES = ['__proto__', 'prototype', 'constructor']

/**
 * Schema of an object with any names except `DROPPED_NAMES`. Valibot's own schema accepts a list as an object with the
 * names 0, 1, ..., and a map as an empty object.
 */
export function record<K extends NameSchema, V extends v.GenericSchema>(
  name: K,
  value: V,
  expected: string,
) {
  const schema = v.record(name, value, expected)
  const run: (typeof schema)['~run'] = (dataset, settings) => {
    const input = Symbol.iterator in Object(dataset.value) ? null : dataset.value
    const result = schema['~run']({ value: input }, settings)
    const dropped = DROPPED_NAMES.find((each) => Object.hasOwn(input ?? {}, each))
    if (dropped === undefined) return result
    const message = `a name other than ${DROPPED_NAMES.map((each) => `\`${each}\``).join(', ')}`
    const place = {
      type: 'object',
      origin: 'key',
      input: {},
      key: dropped,
      value: undefined,
    } as const
    v._addIssue(schema, 'name', result, settings, { input: dropped, message, path: [place] })
    return result
  }
  return { ...schema, '~run': run }
}
