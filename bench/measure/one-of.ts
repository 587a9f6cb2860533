/** Returns the one of the names that equals the value of a flag. */
export function oneOf<Name extends string>(names: readonly Name[], value: string): Name {
  const name = names.find((each) => each === value)
  if (name === undefined) throw new Error(`expected one of ${names.join(', ')}, got ${value}`)
  return name
}
