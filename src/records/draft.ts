/**
 * An object that is being filled. What is made for each page gets its rare members one by one: a spread that doesn't
 * come first, or depends on a condition, takes V8 longer than all of them.
 */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] }
