/** Longest delay of a timer, in milliseconds: a longer one would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1
