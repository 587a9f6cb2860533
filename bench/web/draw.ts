import { mixBits } from '../../src/hashing/mix-bits.ts'

/** Returns a pseudorandom number in [0, 1) for the arguments. */
export function draw(seed: number, first: number, second = 0, third = 0): number {
  return mixed(mixed(mixed(mixed(seed) ^ first) ^ second) ^ third) / 2 ** 32
}

function mixed(value: number): number {
  return mixBits(Math.imul(value, 0x9e3779b1) + 0x7f4a7c15) >>> 0
}

/**
 * Returns the value of a power law (Pareto) at a place in [0, 1), as a whole number.
 * @param exponent the smaller it is, the more values are large; above 1, so that the mean exists
 */
export function powerLaw(place: number, mean: number, exponent: number, most: number): number {
  const least = (mean * (exponent - 1)) / exponent
  return Math.min(most, Math.max(1, Math.round(least * (1 - place) ** (-1 / exponent))))
}

/** Returns the value of the standard normal distribution at a place in (0, 1), by Bowling's approximation. */
export function normal(place: number): number {
  return Math.log(place / (1 - place)) / 1.702
}
