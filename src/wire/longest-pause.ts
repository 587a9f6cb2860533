/**
 * The longest time, in milliseconds, that a host may ask to be left alone for (Retry-After) and still
 * be waited for. Who wants more is given up.
 */
export const LONGEST_PAUSE_MS = 24 * 60 * 60 * 1_000
