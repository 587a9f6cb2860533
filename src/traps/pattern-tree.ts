import { detachedCopy } from '../encoding/detached-copy.ts'
import { ID_TOKEN } from './path-pattern.ts'
import { PatternYield } from './pattern-yield.ts'
import type { TreeLimits } from './trap-limits.ts'

/** Maximum number of names below one node that have their own nodes. If there are more, the rare names are joined. */
const MAX_NAMES = 32
/** Number of uses from which a name keeps its own node when rare names are joined. Ids are always joined. */
const COMMON = 16
/** Maximum number of nodes per host. Each full directory may add one more. */
const MAX_NODES = 512
/** Maximum number of tokens of a pattern that are used. */
const MAX_DEPTH = 12

interface PatternNode {
  readonly pattern: string
  readonly own: PatternYield
  /** The results of all patterns below. */
  below: PatternYield | undefined
  children: Map<string, PatternNode> | undefined
  /** The node for joined names. */
  any: PatternNode | undefined
  readonly isAny: boolean
  isFull: boolean
  uses: number
}

/**
 * The path patterns of one host. If a directory has so many names that they are probably generated, the rare ones
 * become `*`. The number of nodes is bounded, whatever URLs the host has.
 */
export class PatternTree {
  readonly #limits: TreeLimits
  readonly #root: PatternNode
  #size = 1

  constructor(limits: TreeLimits) {
    this.#limits = limits
    this.#root = this.#newNode('', 'one-name')
  }

  /** Number of nodes in use. */
  get size(): number {
    return this.#size
  }

  /**
   * Returns the patterns to which URLs with these tokens currently belong: their own, and those of the directories that
   * contain it, the nearest first, without the root. Adds nodes for new tokens.
   */
  find(tokens: readonly string[]): readonly PatternYield[] {
    const patterns: PatternYield[] = []
    let node = this.#root
    for (let depth = 0; depth < tokens.length && depth < MAX_DEPTH; depth++) {
      const next = this.#step(node, tokens[depth] ?? '')
      // Any number of joined names in a row form one pattern: a deeper path alone is no new pattern.
      if (next === undefined) continue
      if (node !== this.#root) patterns.unshift(this.#belowOf(node))
      node = next
    }
    patterns.unshift(node.own)
    return patterns
  }

  #step(node: PatternNode, token: string): PatternNode | undefined {
    const known = node.children?.get(token)
    if (known !== undefined) {
      known.uses++
      return known
    }
    if (!node.isFull && this.#size < MAX_NODES) {
      if ((node.children?.size ?? 0) < MAX_NAMES) return this.#add(node, token)
      this.#joinRare(node)
    }
    if (node.isFull && node.any === undefined && !node.isAny) {
      node.any = this.#newNode(`${node.pattern}/*`, 'joined')
      this.#size++
    }
    return node.any
  }

  #add(node: PatternNode, token: string): PatternNode {
    const name = detachedCopy(token)
    const separator = name.startsWith('?') ? '' : '/'
    const child = this.#newNode(`${node.pattern}${separator}${name}`, 'one-name')
    node.children ??= new Map()
    node.children.set(name, child)
    this.#size++
    return child
  }

  #joinRare(node: PatternNode): void {
    node.isFull = true
    for (const [token, child] of node.children ?? []) {
      if (child.uses >= COMMON && token !== ID_TOKEN) continue
      node.children?.delete(token)
      this.#size -= sizeOf(child)
    }
  }

  #belowOf(node: PatternNode): PatternYield {
    node.below ??= new PatternYield(`${node.pattern}/...`, this.#limits.below)
    return node.below
  }

  #newNode(pattern: string, kind: 'one-name' | 'joined'): PatternNode {
    const own = new PatternYield(pattern === '' ? '/' : pattern, this.#limits.own)
    const none = { below: undefined, children: undefined, any: undefined }
    return { pattern, own, ...none, isAny: kind === 'joined', isFull: false, uses: 1 }
  }
}

function sizeOf(node: PatternNode): number {
  let size = node.any === undefined ? 1 : 1 + sizeOf(node.any)
  for (const child of node.children?.values() ?? []) size += sizeOf(child)
  return size
}
