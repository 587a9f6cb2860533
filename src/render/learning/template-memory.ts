import { hostKey } from '../../url/host-key.ts'
import { PageTemplate, type TemplateState } from './page-template.ts'

/** Directories with the same scripts that are told apart: beyond them all are one template. */
const MAX_DIRECTORIES = 8
/** Sets of scripts that are remembered. */
const MAX_FAMILIES = 2_000
/** Documents that are remembered, as they were sent. */
const MAX_DOCUMENTS = 2_000
/** Stands for all directories. */
const ANY = '*'

/** The features of a page that show, before it is rendered, which pages are like it. */
export interface PageEvidence {
  /** The scripts that it loads. */
  readonly scripts: string
  /** Digest of its bytes. */
  readonly digest: string
}

/** The decision on a page: `static` pages are not rendered, `wait` depends on renders under way. */
export type RenderDecision = 'render' | 'static' | 'wait'

/** A template as it is stored: its family, its directory, and its state. */
export type StoredTemplate = readonly [family: string, directory: string, state: TemplateState]

/** A render whose result is awaited. */
interface AwaitedRender {
  readonly family: string
  readonly directory: string
  readonly digest: string
  /** False for one that says nothing about its template. */
  readonly isCounted: boolean
}

/**
 * Learns which pages need a browser. Pages are alike if they load the same scripts from the same host and lie in the
 * same directory; where there are many directories, all of them are one.
 */
export class TemplateMemory {
  /** Templates by family (host and scripts) and directory. The family that was used last comes last. */
  readonly #families = new Map<string, Map<string, PageTemplate>>()
  /** True for documents that showed links only in a browser: others with the same bytes do so, too. */
  readonly #documents = new Map<string, boolean>()
  readonly #awaited = new Map<number, AwaitedRender>()

  constructor(stored: readonly StoredTemplate[] = []) {
    for (const [family, directory, state] of stored) {
      this.#familyOf(family).set(directory, new PageTemplate(state))
    }
  }

  /** The templates, to be stored. */
  get stored(): StoredTemplate[] {
    return [...this.#families].flatMap(([family, templates]) =>
      [...templates].map(([directory, { state }]): StoredTemplate => [family, directory, state]),
    )
  }

  /** Decides on a page. The result of its render, if there is one, is to be learned under the id. */
  decide(id: number, url: string, evidence: PageEvidence): RenderDecision {
    const { digest, scripts } = evidence
    const family = `${hostKey(url)} ${scripts}`
    const directory = this.#directoryOf(family, url)
    const isShell = this.#documents.get(digest) === true
    const decision = isShell ? 'render' : this.#templateOf(family, directory).decide()
    if (decision === 'render')
      this.#awaited.set(id, { family, directory, digest, isCounted: !isShell })
    return decision
  }

  /**
   * Takes in the result of a render.
   * @param gain new URLs that only the browser showed; undefined if there is no result
   * @param shown URLs that only the browser showed, new or not
   */
  learn(id: number, gain: number | undefined, shown = 0): void {
    const probe = this.#awaited.get(id)
    if (probe === undefined) return
    this.#awaited.delete(id)
    const { family, directory, digest, isCounted } = probe
    if (gain !== undefined) this.#keepDocument(digest, shown > 0)
    if (isCounted) this.#templateOf(family, directory).learn(gain)
  }

  #directoryOf(family: string, url: string): string {
    const { pathname } = new URL(url)
    const directory = pathname.slice(0, pathname.lastIndexOf('/') + 1)
    const templates = this.#familyOf(family)
    if (templates.has(ANY)) return ANY
    if (templates.has(directory) || templates.size < MAX_DIRECTORIES) return directory
    const merged = PageTemplate.merge([...templates.values()])
    templates.clear()
    templates.set(ANY, merged)
    return ANY
  }

  /** Returns a template; one that was merged with others meanwhile is theirs. */
  #templateOf(family: string, directory: string): PageTemplate {
    const templates = this.#familyOf(family)
    const template = templates.get(directory) ?? templates.get(ANY) ?? new PageTemplate()
    if (!templates.has(directory) && !templates.has(ANY)) templates.set(directory, template)
    return template
  }

  #familyOf(family: string): Map<string, PageTemplate> {
    const templates = this.#families.get(family) ?? new Map<string, PageTemplate>()
    this.#families.delete(family)
    this.#families.set(family, templates)
    dropOldest(this.#families, MAX_FAMILIES)
    return templates
  }

  #keepDocument(digest: string, showsMore: boolean): void {
    this.#documents.set(digest, showsMore)
    dropOldest(this.#documents, MAX_DOCUMENTS)
  }
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.size > max ? map.keys() : []
  if (oldest !== undefined) map.delete(oldest)
}
