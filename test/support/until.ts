import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when a condition is true, which is checked 50 times a second. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}
