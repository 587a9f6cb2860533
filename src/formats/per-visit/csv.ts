import { csvLine } from '../../encoding/csv-line.ts'
import { splitData } from '../../records/data-texts.ts'
import { type ColumnValue, dataFieldOf, VISIT_COLUMNS } from '../../records/visit-columns.ts'
import type { VisitFields } from '../../records/visit-record.ts'
import type { TextFormat } from './text-output.ts'

const CELL_READERS = new Map<string, (visit: VisitFields) => ColumnValue>(
  Object.entries(VISIT_COLUMNS),
)

/**
 * Returns CSV by RFC 4180, with a header line.
 * @param columns names of `VISIT_COLUMNS`, and of fields of `data`, such as `data.price`; the column `data` has the rest
 */
export function csvFormat(columns: readonly string[]): TextFormat {
  const dataFields = columns.map(dataFieldOf).filter((name) => name !== undefined)
  const cells = columns.map((column) => {
    const at = dataFields.indexOf(dataFieldOf(column) ?? '')
    const read = CELL_READERS.get(column)
    return (visit: VisitFields, texts: readonly (string | undefined)[]) =>
      read === undefined ? texts[at] : read(visit)
  })
  return {
    head: encodeLine(columns),
    encode({ record: { fields } }) {
      const { texts, others } = splitData(fields.dataJson, dataFields)
      const visit = { ...fields, dataJson: others }
      return encodeLine(cells.map((cell) => cell(visit, texts)))
    },
  }
}

function encodeLine(cells: readonly ColumnValue[]): string {
  return `${csvLine(cells)}\r\n`
}
