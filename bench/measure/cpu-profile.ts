import { Bundle } from './bundle.ts'

/** The parts of the profile of a thread, written by `node --cpu-prof`, that are needed here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Ids of the nodes at the top of the stack, one per sample. */
  readonly samples: readonly number[]
  /** Microseconds that each sample represents. */
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: readonly number[]
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  /** Index of the line, from 0. */
  readonly lineNumber: number
}

/** Microseconds by stage. */
export type Spent = Map<string, number>

const IDLE = '(idle)'
const SOURCE = /(?:^|\/)src\/(.+)$/
const BUILT = /^file:.*\/dist\//
const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//

/**
 * Adds up the last microseconds of a profile by stage. The stage is the folder below `src`, or the package, that is
 * nearest to the top of the stack.
 * @param last the number of microseconds
 */
export function spentByStage({ nodes, samples, timeDeltas }: CpuProfile, last: number): Spent {
  const stages = stagesOf(nodes)
  const spent: Spent = new Map()
  let left = last
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    const us = timeDeltas[index] ?? 0
    const stage = stages.get(samples[index] ?? 0) ?? ''
    if (stage !== IDLE) spent.set(stage, (spent.get(stage) ?? 0) + us)
    left -= us
  }
  return spent
}

/** Returns the stages by node id. Functions of Node and of V8 belong to the stage of their caller. */
function stagesOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const stages = new Map<number, string>()
  const callers = new Map<number, number>()
  for (const { id, children = [] } of nodes) for (const child of children) callers.set(child, id)
  for (const { id, callFrame } of nodes) {
    const caller = stages.get(callers.get(id) ?? -1) ?? 'Node'
    stages.set(id, ownStage(callFrame) ?? caller)
  }
  return stages
}

function ownStage({ functionName, url, lineNumber }: CallFrame): string | undefined {
  const inPackage = PACKAGE.exec(url)?.[1]
  if (inPackage !== undefined) return inPackage
  const file = BUILT.test(url) ? bundleOf(url).fileAt(lineNumber) : url
  const path = SOURCE.exec(file ?? '')?.[1]
  if (path !== undefined) return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path
  // `(idle)`, `(garbage collector)` and `(program)`, which is native code that no JavaScript has called.
  return functionName.startsWith('(') && functionName !== '(root)' ? functionName : undefined
}

const bundles = new Map<string, Bundle>()

function bundleOf(url: string): Bundle {
  const bundle = bundles.get(url) ?? new Bundle(new URL(url))
  bundles.set(url, bundle)
  return bundle
}
