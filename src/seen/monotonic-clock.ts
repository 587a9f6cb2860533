/** Milliseconds of a clock that all threads share and nobody sets: performance.now is each thread's own. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}
