import { hostKey } from '../../url/host-key.ts'
import { HostTemplates, type LearnedHost } from './host-templates.ts'
import type { RenderDecision } from './page-template.ts'

/** Sets of scripts that are remembered, of all hosts. */
const MAX_FAMILIES = 2_000

/** The features of a page that show, before it is rendered, which pages are like it. */
export interface PageEvidence {
  /** The scripts that it loads. */
  readonly scripts: string
  /** Digest of its bytes. */
  readonly digest: string
  /** Number of signs that it shows little without its scripts: they only order pages that wait. */
  readonly signs: number
}

/** A render whose result is awaited. */
interface AwaitedRender {
  readonly host: string
  readonly scripts: string
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
  /** The host that was used last comes last. */
  readonly #hosts = new Map<string, HostTemplates>()
  #families = 0
  readonly #awaited = new Map<number, AwaitedRender>()

  /** Everything that was learned, by host. */
  get learned(): readonly (readonly [host: string, learned: LearnedHost])[] {
    return [...this.#hosts].map(([host, { learned }]) => [host, learned] as const)
  }

  /** Returns what was learned about a host, if anything was. */
  learnedOf(host: string): LearnedHost | undefined {
    return this.#hosts.get(host)?.learned
  }

  /** Replaces what is known of a host by what was learned elsewhere, or earlier. */
  adopt(host: string, learned: LearnedHost): void {
    this.#families -= this.#hosts.get(host)?.families ?? 0
    this.#hosts.delete(host)
    const templates = new HostTemplates(learned)
    this.#hosts.set(host, templates)
    this.#families += templates.families
    this.#shrink()
  }

  /** Decides on a page. The result of its render, if there is one, is to be learned under the id. */
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
   * Takes in the result of a render.
   * @param gain new URLs that only the browser showed; undefined if there is no result
   * @param shown URLs that only the browser showed, new or not
   */
  learn(id: number, gain: number | undefined, shown = 0): void {
    const probe = this.#awaited.get(id)
    if (probe === undefined) return
    this.#awaited.delete(id)
    const { host, scripts, directory, digest, isCounted } = probe
    this.#use(host, (templates) => {
      if (gain !== undefined) templates.keepDocument(digest, shown > 0)
      if (isCounted) templates.templateOf(scripts, directory).learn(gain)
    })
  }

  /** Runs a step on the templates of a host, which may get one more. */
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
