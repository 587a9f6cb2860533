/**
 * An object that is being built. Objects that are made for each page get their rare members one by one. A spread that
 * doesn't come first, or that depends on a condition, takes V8 longer than all of these assignments.
 */
export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
