import { TRAP_LIMITS, type TrapLimits } from '../../src/traps/trap-limits.ts'

/** Limits with less evidence, so that tests are quick: a fraction of the visits, in breadth and depth. */
export const QUICK_LIMITS: TrapLimits = {
  ...TRAP_LIMITS,
  suspectVisits: 200,
  trapVisits: 600,
  wideFactor: 1,
}
