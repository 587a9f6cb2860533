import { seededRandom } from './random.ts'

/** A page of a generated site. Its number is its index in `SiteGraph.pages`. */
export interface GraphPage {
  readonly kind: 'html' | 'redirect' | 'error' | 'leaf'
  /** Index of its host. */
  readonly host: number
  /** Path on that host, in canonical form. */
  readonly path: string
  readonly status: number
  /** Numbers of the pages that it links to. A redirect has one target; pages that are not HTML have none. */
  readonly targets: readonly number[]
}

export interface SiteGraph {
  readonly hosts: number
  readonly pages: readonly GraphPage[]
  /** Numbers of the pages that a crawl starts from. */
  readonly seeds: readonly number[]
}

export interface GraphShape {
  /** The same seed and shape give the same graph. */
  readonly seed: number
  readonly pages: number
  /** Default 1. */
  readonly hosts?: number
  /** Mean number of links on a page, default 6. */
  readonly outDegree?: number
  /** Share of the pages that redirect, a third of them to another redirect; default 0.1. */
  readonly redirects?: number
  /** Share of the pages that answer 404 or 500, default 0.06. */
  readonly errors?: number
  /** Share of the pages that are not HTML, default 0.08. */
  readonly leaves?: number
  /** True to start at the first page of every host, not only of host 0. */
  readonly seedEveryHost?: boolean
}

const statuses = { html: [200], leaf: [200], redirect: [301, 302, 307], error: [404, 500] }
const longestChain = 3

/**
 * Generates a site from a number. Each page is linked to by some earlier HTML page, so all can be reached. The other
 * links lead to pages shortly after the page or to any page. That way, long paths that are fast compete with short ones
 * through slow pages.
 */
export function generateGraph(shape: GraphShape): SiteGraph {
  const hosts = shape.hosts ?? 1
  const draw = new Draw(shape.seed)
  const kinds = Array.from({ length: shape.pages }, (_, page) =>
    page < hosts ? 'html' : drawKind(shape, draw),
  )
  const targets = aimRedirects(kinds, draw)
  drawLinks(kinds, targets, shape.outDegree ?? 6, draw)
  const pages = kinds.map((kind, page) => ({
    kind,
    host: page < hosts ? page : draw.below(hosts),
    path: `/${draw.one(['a', 'b', 'c', 'd'])}/${page}.${kind === 'leaf' ? 'bin' : 'html'}`,
    status: draw.one(statuses[kind]),
    targets: targets.get(page) ?? [],
  }))
  return { hosts, pages, seeds: shape.seedEveryHost ? [...pages.keys()].slice(0, hosts) : [0] }
}

class Draw {
  readonly share: () => number

  constructor(seed: number) {
    this.share = seededRandom(seed)
  }

  below(limit: number): number {
    return Math.floor(this.share() * limit)
  }

  one<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
}

function drawKind(shape: GraphShape, draw: Draw): GraphPage['kind'] {
  const { redirects = 0.1, errors = 0.06, leaves = 0.08 } = shape
  const share = draw.share()
  if (share < redirects) return 'redirect'
  if (share < redirects + errors) return 'error'
  return share < redirects + errors + leaves ? 'leaf' : 'html'
}

/**
 * Returns the targets of redirects. Each is a page, or an earlier redirect, so there are chains of up to three and no
 * loop.
 */
function aimRedirects(kinds: readonly GraphPage['kind'][], draw: Draw): Map<number, number[]> {
  const targets = new Map<number, number[]>()
  const chains = new Map<number, number>()
  const pages = numbersOf(kinds, (kind) => kind !== 'redirect')
  for (const redirect of numbersOf(kinds, (kind) => kind === 'redirect')) {
    const extendable = [...chains].filter(([, length]) => length < longestChain)
    const longer = draw.share() < 1 / 3 && extendable.length > 0
    const [target, length] = longer ? draw.one(extendable) : [draw.one(pages), 0]
    targets.set(redirect, [target])
    chains.set(redirect, length + 1)
  }
  return targets
}

function drawLinks(
  kinds: readonly GraphPage['kind'][],
  targets: Map<number, number[]>,
  outDegree: number,
  draw: Draw,
): void {
  const parents: number[] = []
  kinds.forEach((kind, page) => {
    if (page > 0) targets.get(drawParent(parents, draw))?.push(page)
    if (kind !== 'html') return
    // The link to this page from its parent is one of the mean number.
    const length = draw.below(2 * outDegree - 1)
    targets.set(
      page,
      Array.from({ length }, () => drawTarget(page, kinds.length, draw)),
    )
    parents.push(page)
  })
}

function drawParent(parents: readonly number[], draw: Draw): number {
  return draw.one(draw.share() < 0.5 ? parents.slice(-5) : parents)
}

function drawTarget(page: number, pages: number, draw: Draw): number {
  return draw.share() < 0.7 ? Math.min(pages - 1, page + draw.below(12)) : draw.below(pages)
}

function numbersOf(
  kinds: readonly GraphPage['kind'][],
  matches: (kind: GraphPage['kind']) => boolean,
): number[] {
  return [...kinds.keys()].filter((page) => matches(kinds[page] ?? 'html'))
}
