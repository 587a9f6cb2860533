import type { Field } from './field.ts'

type CountedField = Pick<Field, 'name' | 'isList'>

/** The element of `--content`, counted like a field. */
export const CONTENT_FIELDS: readonly CountedField[] = [{ name: 'content', isList: true }]

/**
 * Counts pages in shared memory, by field: pages with a value, and pages with several matches for a field that takes
 * only one.
 */
export class FieldMatches {
  readonly memory: SharedArrayBuffer
  readonly #fields: readonly CountedField[]
  /** The number of pages, then per field those with a value, then per field those with several matches. */
  readonly #counts: Int32Array

  /** @param memory memory of another thread with the same fields */
  constructor(
    fields: readonly CountedField[],
    memory = new SharedArrayBuffer((1 + 2 * fields.length) * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.#fields = fields
    this.memory = memory
    this.#counts = new Int32Array(memory)
  }

  countPage(): void {
    Atomics.add(this.#counts, 0, 1)
  }

  /** Counts the matches of a page for the field at an index. */
  countField(field: number, matches: number, hasValue: boolean): void {
    if (hasValue) Atomics.add(this.#counts, 1 + field, 1)
    if (matches > 1 && this.#fields[field]?.isList === false) {
      Atomics.add(this.#counts, 1 + this.#fields.length + field, 1)
    }
  }

  /** Returns the numbers of pages with several matches, by field name, without zeros. */
  get several(): Readonly<Record<string, number>> {
    const start = 1 + this.#fields.length
    const counts = this.#fields.map(
      ({ name }, at) => [name, this.#counts[start + at] ?? 0] as const,
    )
    return Object.fromEntries(counts.filter(([, pages]) => pages > 0))
  }

  /** Returns the names of fields that have no value on any page; no names before the first page. */
  get unmatched(): string[] {
    if (this.#counts[0] === 0) return []
    return this.#fields.filter((_, at) => this.#counts[1 + at] === 0).map(({ name }) => name)
  }
}
