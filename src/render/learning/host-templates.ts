import { PageTemplate, type TemplateState } from './page-template.ts'

/** Directories with the same scripts that are told apart: beyond them all are one template. */
const MAX_DIRECTORIES = 8
/** Documents that are remembered, as they were sent. */
const MAX_SHELLS = 100
/** Stands for all directories. */
const ANY = '*'

/** A template as it is stored. */
export interface StoredTemplate extends TemplateState {
  /** The scripts that its pages load. */
  readonly scripts: string
  readonly directory: string
}

/** The templates of a host's pages, the last one used at the end, and documents that need a browser. */
export interface LearnedHost {
  readonly templates: readonly StoredTemplate[]
  /** Digests of documents that show links only in a browser, the one that was seen last at the end. */
  readonly shells: readonly string[]
}

/** The templates of the pages of a host, and its documents that show links only in a browser. */
export class HostTemplates {
  /** Templates by scripts and directory. The scripts that were used last come last. */
  readonly #families = new Map<string, Map<string, PageTemplate>>()
  readonly #shells: Set<string>

  constructor({ templates, shells }: LearnedHost = { templates: [], shells: [] }) {
    for (const { scripts, directory, ...state } of templates) {
      this.#familyOf(scripts).set(directory, new PageTemplate(state))
    }
    this.#shells = new Set(shells)
  }

  /** Number of sets of scripts. */
  get families(): number {
    return this.#families.size
  }

  get learned(): LearnedHost {
    const templates = [...this.#families].flatMap(([scripts, family]) =>
      [...family].map(([directory, { state }]) => ({ scripts, directory, ...state })),
    )
    return { templates, shells: [...this.#shells] }
  }

  /** Returns the directory that a page counts to: its own, or one that stands for all. */
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

  /** Returns a template; one that was merged with others meanwhile is theirs. */
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

  /** Keeps whether a document shows links only in a browser: others with the same bytes do so, too. */
  keepDocument(digest: string, showsMore: boolean): void {
    this.#shells.delete(digest)
    if (showsMore) this.#shells.add(digest)
    if (this.#shells.size > MAX_SHELLS) dropOldest(this.#shells)
  }

  dropOldestFamily(): void {
    dropOldest(this.#families)
  }

  #familyOf(scripts: string): Map<string, PageTemplate> {
    const family = this.#families.get(scripts) ?? new Map<string, PageTemplate>()
    this.#families.delete(scripts)
    this.#families.set(scripts, family)
    return family
  }
}

function dropOldest(all: Map<string, unknown> | Set<string>): void {
  const [oldest] = all.keys()
  if (oldest !== undefined) all.delete(oldest)
}
