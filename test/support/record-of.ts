import type { Visit } from '../../src/records/visit.ts'
import { fieldsOf, VisitRecord } from '../../src/records/visit-record.ts'

const SOME = { url: 'http://h.test/', depth: 0, hop: 'link', attempts: 1 } as const

/** Returns the record of a visit, with defaults for fields that don't matter to a test. */
export function recordOf(visit: Partial<Visit>): VisitRecord {
  return new VisitRecord(fieldsOf({ ...SOME, ...visit }))
}
