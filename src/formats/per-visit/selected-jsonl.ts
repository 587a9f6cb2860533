import { escapeControls } from '../../printable-text.ts'
import { textOf } from '../../records/data-texts.ts'
import { dataFieldOf, VISIT_COLUMNS } from '../../records/visit-columns.ts'
import type { VisitFields } from '../../records/visit-record.ts'
import type { TextFormat } from './text-output.ts'

/** Returns the JSON of a member's value; undefined if the visit lacks it. */
type MemberReader = (visit: VisitFields) => string | undefined

const READERS: ReadonlyMap<string, MemberReader> = new Map([
  ...Object.entries(VISIT_COLUMNS).map(([name, read]): [string, MemberReader] => [
    name,
    (visit) => JSON.stringify(read(visit)),
  ]),
  ['error', ({ error }) => JSON.stringify(error)],
  ['data', ({ dataJson }) => dataJson],
])

/**
 * Returns the format of JSON lines with only the given fields, in this order.
 * @param columns names as in `VISIT_COLUMNS`; names such as `data.price` become members of `data`
 */
export function selectedJsonl(columns: readonly string[]): TextFormat {
  const dataFields = columns.map(dataFieldOf).filter((name) => name !== undefined)
  const names = new Set(columns.map((name) => (dataFieldOf(name) === undefined ? name : 'data')))
  const members = [...names].map((name): [string, MemberReader | undefined] => {
    const isPart = name === 'data' && !columns.includes(name)
    return [name, isPart ? ({ dataJson }) => partOf(dataJson, dataFields) : READERS.get(name)]
  })
  return {
    head: '',
    encode({ record: { fields } }) {
      const parts = members.flatMap(([name, read]) => {
        const json = read?.(fields)
        return json === undefined ? [] : [`"${name}":${json}`]
      })
      return `${escapeControls(`{${parts.join(',')}}`)}\n`
    },
  }
}

/** Returns the given fields of data as JSON; undefined if data has none of them. */
function partOf(dataJson: string | undefined, names: readonly string[]): string | undefined {
  if (dataJson === undefined) return undefined
  const data = new Map<string, unknown>(Object.entries(JSON.parse(dataJson)))
  const parts = names.flatMap((name) => (data.has(name) ? [[name, data.get(name)]] : []))
  return parts.length === 0 ? undefined : textOf(Object.fromEntries(parts))
}
