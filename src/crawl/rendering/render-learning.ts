import type { RenderRequest } from '../../messages/from-worker.ts'
import type { Visited } from '../../messages/outcome.ts'
import type { CrawlUrl } from '../../records/crawl-url.ts'
import type { LearnedHost } from '../../render/learning/host-templates.ts'
import type { RenderDecision } from '../../render/learning/page-template.ts'
import { TemplateMemory } from '../../render/learning/template-memory.ts'
import type { SavedRendering } from '../../state/ledger.ts'

type SavedTemplates = Pick<SavedRendering, 'templates' | 'shells'>

/** Learns which pages need a browser, for `--render auto`. */
export class RenderLearning {
  readonly #templates = new TemplateMemory()

  get saved(): SavedTemplates {
    const { learned } = this.#templates
    const templates = learned.flatMap(([host, { templates }]) =>
      templates.map(({ scripts, ...state }) => ({ family: `${host} ${scripts}`, ...state })),
    )
    const shells = learned.flatMap(([host, { shells }]) =>
      shells.map((digest) => [host, digest] as const),
    )
    return { templates, shells }
  }

  /** Restores what an earlier run has learned. */
  restore({ templates, shells = [] }: SavedTemplates): void {
    const byHost = Map.groupBy(templates, ({ family }) => hostOf(family))
    const shellsByHost = Map.groupBy(shells, ([host]) => host)
    for (const [host, stored] of byHost) {
      this.#templates.adopt(host, {
        templates: stored.map(({ family, ...state }) => ({ scripts: scriptsOf(family), ...state })),
        shells: (shellsByHost.get(host) ?? []).map(([, digest]) => digest),
      })
    }
  }

  /** Returns what was learned about a host, for the process that crawls it next; undefined if nothing was. */
  learnedOf(host: string): LearnedHost | undefined {
    return this.#templates.learnedOf(host)
  }

  /** Adopts what another process has learned about a host. */
  adopt(host: string, learned: LearnedHost): void {
    this.#templates.adopt(host, learned)
  }

  decide({ id, page, evidence }: RenderRequest): RenderDecision {
    return evidence === undefined ? 'render' : this.#templates.decide(id, page.url, evidence)
  }

  /** Learns from a page how many new URLs only the browser showed. Returns the outcome without these URLs' list. */
  learn({ id }: CrawlUrl, { renderedUrls, ...outcome }: Visited): Visited {
    if (renderedUrls === undefined) return outcome
    const shown = new Set(renderedUrls)
    const gain = outcome.discovered.filter((url) => shown.has(url)).length
    this.#templates.learn(id, gain, shown.size)
    return outcome
  }

  /** Notes that a page is done. If it has had no result, none is awaited any more. */
  concluded(id: number): void {
    this.#templates.learn(id, undefined)
  }
}

/** Returns the host in the stored form of a family. */
function hostOf(family: string): string {
  return family.slice(0, family.indexOf(' '))
}

function scriptsOf(family: string): string {
  return family.slice(family.indexOf(' ') + 1)
}
