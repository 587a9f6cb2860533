import type { Config } from '../../config/schema.ts'
import type { CliContext, TextStream } from '../cli-context.ts'

/**
 * Returns whether text on a stream is colored. `--color` decides, then FORCE_COLOR, then NO_COLOR
 * (https://no-color.org). Without these, text is colored at a terminal.
 */
export function isColored(
  stream: TextStream,
  { environment = {}, canMoveCursor }: CliContext,
  color: Config['color'] = 'auto',
): boolean {
  if (color !== 'auto') return color === 'always'
  const { FORCE_COLOR: force = '', NO_COLOR: no = '' } = environment
  if (force !== '') return force !== '0' && force !== 'false'
  return no === '' && stream.isTTY === true && canMoveCursor
}
