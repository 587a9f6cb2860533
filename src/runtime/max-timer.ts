/** Maximum delay of a timer, in milliseconds. A timer with a longer delay would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
