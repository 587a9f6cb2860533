import type { GroupField } from '../../records/group-field.ts'
import { compileTemplate } from '../../records/print-template.ts'
import type { TextFormat } from './text-output.ts'

/** Returns the format of `--print`. */
export function templateFormat(
  template: string,
  groupFields: ReadonlyMap<string, GroupField>,
): TextFormat {
  const linesOf = compileTemplate(template, groupFields)
  return { head: '', encode: ({ fields }) => linesOf(fields) }
}
