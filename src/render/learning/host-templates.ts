import { BoundedMap } from '../../collections/bounded-map.ts'
import { PageTemplate, type TemplateState } from './page-template.ts'

/** Maximum directories with the same scripts that have templates of their own. Beyond, they share one template. */
const MAX_DIRECTORIES = 8
/** Maximum number of documents whose digests are remembered. */
const MAX_SHELLS = 100
/** The key of a template for all directories. */
const ANY = '*'

/** A template as it is stored. */
export interface StoredTemplate extends TemplateState {
  /** The scripts that its pages load. */
  readonly scripts: string
  readonly directory: string
}

/** The templates of a host's pages, the last used one at the end, and its documents that need a browser. */
export interface LearnedHost {
  readonly templates: readonly StoredTemplate[]
  /** Digests of documents with links that only a browser shows. The document that was seen last is at the end. */
  readonly shells: readonly string[]
}

/** The templates of the pages of a host, and its documents with links that only a browser shows. */
export class HostTemplates {
  /** Templates by scripts and directory. The scripts that were used last are at the end. */
  readonly #families = new Map<string, Map<string, PageTemplate>>()
  /** Digests of documents. The one that was seen last is at the end. */
  readonly #shells = new BoundedMap<string, true>(MAX_SHELLS)

  constructor({ templates, shells }: LearnedHost = { templates: [], shells: [] }) {
    for (const { scripts, directory, ...state } of templates) {
      this.#familyOf(scripts).set(directory, new PageTemplate(state))
    }
    for (const digest of shells) this.#shells.set(digest, true)
  }

  /** Number of different sets of scripts. */
  get families(): number {
    return this.#families.size
  }

  get learned(): LearnedHost {
    const templates = [...this.#families].flatMap(([scripts, family]) =>
      [...family].map(([directory, { state }]) => ({ scripts, directory, ...state })),
    )
    return { templates, shells: [...this.#shells.keys()] }
  }

  /** Returns the directory whose template a page belongs to: its own, or `*` for all directories. */
  directoryOf(scripts: string, url: string): string {
    const { pathname } = new URL(url)
    const directory = pathname.slice(0, pathname.lastIndexOf('/') + 1)
    const family = this.#familyOf(scripts)
    if (family.has(ANY)) return ANY
    if (family.has(directory) || family.size < MAX_DIRECTORIES) return directory
    const merged = PageTemplate.merge([...family.values()])
    family.clear()
    family.set(ANY, merged)
    return ANY
  }

  /** Returns the template of a directory, or the one that it was merged into. */
  templateOf(scripts: string, directory: string): PageTemplate {
    const family = this.#familyOf(scripts)
    const known = family.get(directory) ?? family.get(ANY)
    if (known !== undefined) return known
    const template = new PageTemplate()
    family.set(directory, template)
    return template
  }

  isShell(digest: string): boolean {
    return this.#shells.has(digest)
  }

  /** Remembers whether a document has links that only a browser shows. Documents with the same bytes behave alike. */
  keepDocument(digest: string, showsMore: boolean): void {
    if (showsMore) this.#shells.set(digest, true)
    else this.#shells.delete(digest)
  }

  dropOldestFamily(): void {
    const [oldest] = this.#families.keys()
    if (oldest !== undefined) this.#families.delete(oldest)
  }

  #familyOf(scripts: string): Map<string, PageTemplate> {
    const family = this.#families.get(scripts) ?? new Map<string, PageTemplate>()
    this.#families.delete(scripts)
    this.#families.set(scripts, family)
    return family
  }
}
