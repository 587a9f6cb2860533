import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** A column of a table, with a condition that selects a row if the rows differ. */
export interface Column {
  readonly table: string
  readonly column: string
  readonly where: string
}

/** Values that are invalid in all or most columns of a state. */
export const BAD_VALUES: readonly (readonly [name: string, value: SQLInputValue])[] = [
  ['null', null],
  ['garbage', 'gar\u0000bage'],
  ['a negative number', -7],
  ['an unsafe integer', 2n ** 62n],
  ['a fraction', 0.5],
  ['bytes', new Uint8Array([0, 255, 10, 34])],
  ['a file: URL', 'file:///etc/passwd'],
  ['truncated JSON', '{"access":'],
  ['JSON of another shape', '[{"access":7}]'],
]

/**
 * Returns all columns of a database. Those of the table `crawl`, whose rows all differ, are returned once for each row.
 */
export function columnsIn(file: string): Column[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return tablesIn(database).flatMap((table) => {
      const names = database.prepare('SELECT name FROM pragma_table_info(?)').all(table)
      const rows = table === 'crawl' ? database.prepare('SELECT name FROM crawl').all() : []
      const places = rows.length > 0 ? rows.map(({ name }) => `name = '${name}'`) : ['true']
      return names.flatMap(({ name }) =>
        places.map((where) => ({ table, column: `${name}`, where })),
      )
    })
  } finally {
    database.close()
  }
}

function tablesIn(database: DatabaseSync): string[] {
  const rows = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  return rows.map(({ name }) => String(name))
}

/**
 * Writes a value into a column, in spite of the table's constraints, which are restored afterwards. Changes all rows,
 * or one row if values must be unique.
 * @returns false if SQLite can't store such a value there
 */
export function corrupt(
  file: string,
  { table, column, where }: Column,
  value: SQLInputValue,
): boolean {
  const before = rewriteSchema(file, table, (sql) =>
    sql.replaceAll(' NOT NULL', '').replace(/\) STRICT/, ')'),
  )
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const one = `rowid = (SELECT max(rowid) FROM ${table} WHERE ${where})`
  try {
    return [where, one].some((rows) =>
      put(database, `UPDATE ${table} SET ${column} = ? WHERE ${rows}`, value),
    )
  } finally {
    database.close()
    rewriteSchema(file, table, () => before)
  }
}

function put(database: DatabaseSync, update: string, value: SQLInputValue): boolean {
  try {
    return database.prepare(update).run(value).changes > 0
  } catch {
    return false
  }
}

/** Changes the definition of a table in the schema. Returns the previous definition. */
function rewriteSchema(file: string, table: string, rewrite: (sql: string) => string): string {
  const database = new DatabaseSync(file, { defensive: false })
  try {
    const row = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table)
    const before = String(row?.['sql'])
    database.exec('PRAGMA writable_schema = ON')
    database.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?').run(rewrite(before), table)
    return before
  } finally {
    database.close()
  }
}
