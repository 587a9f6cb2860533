import { TRAP_LIMITS, type TrapLimits } from '../../src/traps/trap-limits.ts'

/** Less evidence, so that tests are quick: a fraction of the visits, wide or deep. */
export const QUICK_LIMITS: TrapLimits = {
  ...TRAP_LIMITS,
  suspectVisits: 200,
  trapVisits: 600,
  wideFactor: 1,
}
