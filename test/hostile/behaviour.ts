import type { Socket } from 'node:net'
import type { ErrorCode } from '../../src/records/error-code.ts'
import type { Visit } from '../../src/records/visit.ts'

/** What the server does when a path is asked for: whatever is written goes out as it is. */
export type Misbehave = (socket: Socket, path: string) => void

/** What the record of a path has to say; what is not named here has to be absent. */
export interface Expected {
  readonly status?: number
  readonly error?: ErrorCode
  readonly truncated?: true
}

/** The path that misbehaves, what it does there, what is expected of the record. */
export type Behaviour = readonly [
  path: string,
  misbehave: Misbehave,
  expected: Expected,
  /** Further fields of the record. */
  more?: Partial<Visit>,
]

/** The part of a record that every behaviour has a say in. */
export function gist({ status, error, truncated }: Visit): Expected {
  return {
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error: error.code }),
    ...(truncated !== undefined && { truncated }),
  }
}

/** What a test has to know of a behaviour. */
export function expectation([path, , expected, more = {}]: Behaviour) {
  return [path, expected, more] as const
}
