import { compileTemplate } from '../../records/print-template.ts'
import type { TextFormat } from './text-output.ts'

/** Returns the format of `--print`. */
export function templateFormat(template: string): TextFormat {
  const lineOf = compileTemplate(template)
  return { head: '', encode: ({ fields }) => lineOf(fields) }
}
