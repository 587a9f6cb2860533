import type { Socket } from 'node:net'
import type { ErrorCode } from '../../src/records/error-code.ts'
import type { Visit } from '../../src/records/visit.ts'

/** Misbehaves when a path is requested. Everything that is written is sent unchanged. */
export type Misbehave = (socket: Socket, path: string) => void

/** Expected fields of a path's record. Fields that are not given must be absent. */
export interface Expected {
  readonly status?: number
  readonly error?: ErrorCode
  readonly truncated?: true
}

/** The path that misbehaves, its behavior, and the expected record. */
export type Behaviour = readonly [
  path: string,
  misbehave: Misbehave,
  expected: Expected,
  /** Further fields of the record. */
  more?: Partial<Visit>,
]

/** Returns the part of a record that all behaviors are tested for. */
export function gist({ status, error, truncated }: Visit): Expected {
  return {
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error: error.code }),
    ...(truncated !== undefined && { truncated }),
  }
}

/** Returns the part of a behavior that a test needs. */
export function expectation([path, , expected, more = {}]: Behaviour) {
  return [path, expected, more] as const
}
