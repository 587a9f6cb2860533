// node --import bench/measure/frozen-clock.ts <script>
// While the process is stopped by SIGSTOP, its monotonic clock stops, and the wall clock runs on. The same happens on a
// suspended machine.

/** Milliseconds between two readings of the clock that only a stop can explain: the crawl reads it more often. */
const STOPPED_MS = 1_500

const now = performance.now.bind(performance)
let last = now()
let frozen = 0

performance.now = () => {
  const real = now()
  if (real - last > STOPPED_MS) frozen += real - last
  last = real
  return real - frozen
}

export {}
