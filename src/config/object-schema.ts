import * as v from 'valibot'

type NameSchema = v.GenericSchema<string, string | number | symbol>

/** Names that Valibot leaves out of any object, without an issue. */
const LOST_NAMES = ['__proto__', 'constructor', 'prototype']

/** Schema of an object. Valibot's own would accept a list, with the names 0, 1, ..., or a map, without any, and lose some names. */
export function record<K extends NameSchema, V extends v.GenericSchema>(
  name: K,
  value: V,
  expected: string,
) {
  const schema = v.record(name, value, expected)
  const refusal = v.record(name, value, `${expected}, without ${LOST_NAMES.join(', ')} as a name`)
  const run: (typeof schema)['~run'] = (dataset, settings) => {
    const given = dataset.value
    if (LOST_NAMES.some((lost) => Object.hasOwn(Object(given), lost)))
      return refusal['~run']({ value: null }, settings)
    const isIterable = Symbol.iterator in Object(given)
    return schema['~run'](isIterable ? { value: null } : dataset, settings)
  }
  return { ...schema, '~run': run }
}
