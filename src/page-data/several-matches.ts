import type { Field } from './field.ts'

/** Counts in shared memory, for each field, the pages on which it has more matches than the one it takes. */
export class SeveralMatches {
  readonly memory: SharedArrayBuffer
  readonly #fields: readonly Pick<Field, 'name'>[]
  readonly #pages: Int32Array

  /** @param memory of another thread with the same fields */
  constructor(
    fields: readonly Pick<Field, 'name'>[],
    memory = new SharedArrayBuffer(fields.length * Int32Array.BYTES_PER_ELEMENT),
  ) {
    this.#fields = fields
    this.memory = memory
    this.#pages = new Int32Array(memory)
  }

  /** Counts a page of the field at this place. */
  count(field: number): void {
    Atomics.add(this.#pages, field, 1)
  }

  /** Returns the number of pages by the names of fields, without zeros. */
  get pages(): Readonly<Record<string, number>> {
    const counts = this.#fields.map(({ name }, at) => [name, this.#pages[at] ?? 0] as const)
    return Object.fromEntries(counts.filter(([, pages]) => pages > 0))
  }
}
