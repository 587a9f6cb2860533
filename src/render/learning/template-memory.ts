import { hostKey } from '../../url/host-key.ts'
import { HostTemplates, type LearnedHost } from './host-templates.ts'
import type { RenderDecision } from './page-template.ts'

/** Maximum number of sets of scripts that are remembered, over all hosts. */
const MAX_FAMILIES = 2_000

/** The features of a page by which similar pages are recognized before it is rendered. */
export interface PageEvidence {
  /** The scripts that it loads. */
  readonly scripts: string
  /** Digest of its bytes. */
  readonly digest: string
  /** Number of signs that the page needs its scripts. It only determines the order of waiting pages. */
  readonly signs: number
}

/** A render whose result is awaited. */
interface AwaitedRender {
  readonly host: string
  readonly scripts: string
  readonly directory: string
  readonly digest: string
  /** False for a document that is always rendered, from which its template learns nothing. */
  readonly isCounted: boolean
}

/**
 * Learns which pages need a browser. Pages are alike if they are on the same host, load the same scripts and are in the
 * same directory. If there are many directories, the directory doesn't matter.
 */
export class TemplateMemory {
  /** Templates by host. The host that was used last is at the end. */
  readonly #hosts = new Map<string, HostTemplates>()
  #families = 0
  readonly #awaited = new Map<number, AwaitedRender>()

  /** Everything that was learned, by host. */
  get learned(): readonly (readonly [host: string, learned: LearnedHost])[] {
    return [...this.#hosts].map(([host, { learned }]) => [host, learned] as const)
  }

  /** Returns the knowledge about a host; undefined if there is none. */
  learnedOf(host: string): LearnedHost | undefined {
    return this.#hosts.get(host)?.learned
  }

  /** Replaces the knowledge about a host by that of another process or of an earlier run. */
  adopt(host: string, learned: LearnedHost): void {
    this.#families -= this.#hosts.get(host)?.families ?? 0
    this.#hosts.delete(host)
    const templates = new HostTemplates(learned)
    this.#hosts.set(host, templates)
    this.#families += templates.families
    this.#shrink()
  }

  /** Decides on a page. If it is rendered, `learn` must be called with the same id. */
  decide(
    id: number,
    url: string,
    { digest, scripts }: Omit<PageEvidence, 'signs'>,
  ): RenderDecision {
    const host = hostKey(url)
    return this.#use(host, (templates) => {
      const directory = templates.directoryOf(scripts, url)
      const isShell = templates.isShell(digest)
      const decision = isShell ? 'render' : templates.templateOf(scripts, directory).decide()
      if (decision === 'render')
        this.#awaited.set(id, { host, scripts, directory, digest, isCounted: !isShell })
      return decision
    })
  }

  /**
   * Learns from the result of a render.
   * @param gain new URLs that only the browser showed; undefined if there is no result
   * @param shown URLs that only the browser showed, new or not
   */
  learn(id: number, gain: number | undefined, shown = 0): void {
    const render = this.#awaited.get(id)
    if (render === undefined) return
    this.#awaited.delete(id)
    const { host, scripts, directory, digest, isCounted } = render
    this.#use(host, (templates) => {
      if (gain !== undefined) templates.keepDocument(digest, shown > 0)
      if (isCounted) templates.templateOf(scripts, directory).learn(gain)
    })
  }

  /** Runs a step on the templates of a host, to which the step may add one. */
  #use<Result>(host: string, step: (templates: HostTemplates) => Result): Result {
    const templates = this.#hosts.get(host) ?? new HostTemplates()
    this.#hosts.delete(host)
    this.#hosts.set(host, templates)
    const before = templates.families
    const result = step(templates)
    this.#families += templates.families - before
    this.#shrink()
    return result
  }

  #shrink(): void {
    while (this.#families > MAX_FAMILIES) {
      const [[host, templates] = []] = this.#hosts
      if (host === undefined || templates === undefined) return
      templates.dropOldestFamily()
      this.#families--
      if (templates.families === 0) this.#hosts.delete(host)
    }
  }
}
