/** Returns what to do when all seeds were refused with a status, in words. */
export function refusalAdvice(status: number): string {
  const remedy =
    status === 429
      ? 'send fewer requests with --rate or --delay, or try later'
      : 'log in with --auth, --login, --cookies or -H'
  return `all seeds answered ${status}: ${remedy}`
}
