// node --import bench/measure/frozen-clock.ts <script>
// While the process is stopped by SIGSTOP its monotonic clock stands still, and the wall clock goes on: what a
// suspended machine does to both.

/** Milliseconds between two looks at the clock that only a stop explains: the crawl looks more often. */
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
