/** Returns the microseconds of CPU time of this process since a reading of `process.cpuUsage`. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}
