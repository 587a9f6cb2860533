import { CONTROL_AT, CONTROL_WORDS } from './generated/constants.ts'

/** Writes a result for TypeScript. @param field one of `CONTROL` */
export function publish(field: i32, value: i32): void {
  assert(field >= 0 && field < CONTROL_WORDS)
  store<i32>(CONTROL_AT + (field << 2), value)
}
