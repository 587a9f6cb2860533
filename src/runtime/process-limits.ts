import { readFileSync } from 'node:fs'

/** Returns how many files this process may have open (`ulimit -n`); undefined where the system doesn't tell: Linux does. */
export function openFileLimit(): number | undefined {
  return softLimit('open files')
}

/** Returns the bytes of addresses that this process may have (`ulimit -v`); undefined where there is no limit. */
export function addressLimit(): number | undefined {
  return softLimit('address space')
}

/** Returns how many bytes of addresses it may still take; undefined where there is no limit. */
export function freeAddresses(): number | undefined {
  const limit = addressLimit()
  return limit === undefined ? undefined : Math.max(0, limit - addressesInUse())
}

/** Returns how many bytes of addresses this process has, used or reserved; 0 where the system doesn't tell. */
export function addressesInUse(): number {
  return 1024 * Number(/^VmSize:\s+(\d+) kB/m.exec(textOf('/proc/self/status'))?.[1] ?? 0)
}

function softLimit(name: string): number | undefined {
  const found = new RegExp(`^Max ${name} +(\\d+) `, 'm').exec(textOf('/proc/self/limits'))
  return found === null ? undefined : Number(found[1])
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // another system
  }
}
