import * as v from 'valibot'

/**
 * Schema of the name of a file or folder. Only a shell replaces `~`, and a URL such as `s3://bucket/a` would be the name
 * of a folder, too. An http URL may be a seed behind a flag without its value, which another message explains.
 */
export function fileName(expected: string) {
  return v.pipe(
    v.string(expected),
    v.minLength(1, expected),
    v.check((name) => !/\0|^(?!file:|https?:)[a-z][a-z\d+.-]+:\/\//i.test(name), expected),
    v.check(
      (name) => !/^~[/\\]/.test(name),
      `${expected}, without the ~ that only a shell replaces`,
    ),
  )
}

/** Schema of one file name or several; parsed to a list. */
export function outputNames() {
  const expected = 'a file name, or a list of different ones'
  const name = fileName(expected)
  const names = v.pipe(
    v.array(name, expected),
    v.minLength(1, expected),
    v.check((given) => new Set(given).size === given.length, expected),
  )
  return v.pipe(
    v.union([name, names], expected),
    v.transform((given) => [given].flat()),
  )
}
