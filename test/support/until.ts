import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves once something holds; looks every few milliseconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5)
}
