import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Returns the memory that this process may use, in bytes: of the machine or of its container. */
export function memoryLimit(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
}

/** Returns the bytes of memory that this process has in use, or had at most if the system doesn't report the former. */
export function residentMemory(): number {
  try {
    return process.memoryUsage.rss()
  } catch {
    return 1024 * process.resourceUsage().maxRSS // Linux without /proc
  }
}

/** Returns the maximum open files of this process (`ulimit -n`); undefined if unknown, as outside of Linux. */
export function openFileLimit(): number | undefined {
  return softLimit('open files')
}

/** Returns the maximum bytes of address space of this process (`ulimit -v`); undefined if there is no limit. */
export function addressSpaceLimit(): number | undefined {
  return softLimit('address space')
}

/** Returns the bytes of address space that are still available; undefined if there is no limit. */
export function freeAddressSpace(): number | undefined {
  const limit = addressSpaceLimit()
  return limit === undefined ? undefined : Math.max(0, limit - addressSpaceInUse())
}

/** Returns the bytes of address space that this process uses or has reserved; 0 if unknown, as outside of Linux. */
export function addressSpaceInUse(): number {
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
