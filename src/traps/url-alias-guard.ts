import type { AliasEvidence } from '../messages/messages.ts'
import type { TrapVerdict } from './pattern-yield.ts'
import { ALIAS_KINDS, type Alias, type AliasKind, aliasesOf } from './url-alias.ts'
import type { AliasTable, MarkEvidence, PlainUrl } from './url-alias-evidence.ts'

/** Equal pages after which further URLs are deferred. */
const SUSPECT = 8
/** Equal pages after which further URLs are dropped. */
const ALIKE = 32

/** The evidence it takes to believe that a part of URLs makes no difference. */
interface RequiredProof {
  /** Pages of different content that were the same with another id: an empty page that is always the same proves nothing. */
  readonly pages: number
  /** The same for pages that differ in numbers alone; undefined where pages have to be the same in everything. */
  readonly pagesOfWords: number | undefined
  /** Maximum share of comparisons that find another page. */
  readonly different: number
}

const PROOFS: Readonly<Record<AliasKind, RequiredProof>> = {
  named: { pages: 1, pagesOfWords: 1, different: 1 / 8 },
  session: { pages: 3, pagesOfWords: 8, different: 1 / 8 },
  id: { pages: 3, pagesOfWords: undefined, different: 0 },
  repeat: { pages: 1, pagesOfWords: undefined, different: 0 },
}
/** Pages to keep of each mark: as many as any proof takes. */
const MAX_PAGES = 8

/** Maximum of pages to remember as in flight: many more than ever are. */
const MAX_EXPECTED = 10_000

/** The verdicts by rank, for a URL that may be another name of several pages. */
const VERDICTS: readonly TrapVerdict[] = ['trap', 'later']

const NONE = { same: 0, sameWords: 0, different: 0, pages: [] } as const

/** The evidence on a mark: how many pages show that it makes no difference, and whether some show that it does. */
interface MarkFinding {
  readonly alike: number
  readonly isRefuted: boolean
}

/**
 * Recognizes URLs that lead to a page which was visited by another URL: those with a session id, or with
 * repeated segments. The form of a URL shows which parts may make no difference. Pages that are the same with
 * and without such a part prove it. A page is left out only if it was visited by another URL.
 */
export class AliasGuard {
  readonly #table: AliasTable
  readonly #hash: (text: string) => number
  /** Hosts with a mark that is suspected. */
  readonly #suspects: Set<string>
  /** URLs that were let through and not visited yet, by the hash of their plain URL. */
  readonly #expected = new Map<number, string>()

  /** @param hash keyed, so that nobody can prepare URLs that count as one */
  constructor(table: AliasTable, hash: (text: string) => number) {
    this.#table = table
    this.#hash = hash
    this.#suspects = new Set(table.marksSince(SUSPECT).map(({ host }) => host))
  }

  /** Returns whether to fetch, defer or drop a URL. */
  verdict(url: string, host: string): TrapVerdict {
    if (!this.#suspects.has(host)) return 'go'
    const verdicts = aliasesOf(url).map((alias) => this.#verdictOn(alias, url, host))
    return VERDICTS.find((each) => verdicts.includes(each)) ?? 'go'
  }

  #verdictOn(alias: Alias, url: string, host: string): TrapVerdict {
    const own = this.#findingOn(host, alias.mark)
    if (own.isRefuted) return 'go'
    const shared = alias.directory && this.#findingOn(host, alias.directory)
    const alike = Math.max(own.alike, shared && !shared.isRefuted ? shared.alike : 0)
    if (alike < SUSPECT) return 'go'
    const key = this.#hash(alias.plain)
    const known = this.#table.find(key)
    if (known === undefined) return this.#isFirst(key, url) ? 'go' : 'later'
    if (known.url === this.#hash(url)) return 'go'
    return alike < ALIKE ? 'later' : 'trap'
  }

  /**
   * Takes in a page whose URL may be another name of a page.
   * @returns whether a suspected mark is trusted again
   */
  visited(url: string, host: string, { hashes, keepsIds }: AliasEvidence): boolean {
    const page = { url: this.#hash(url), hashes }
    const aliases = aliasesOf(url).filter(({ ids }) => ids.length === 0 || keepsIds !== true)
    return aliases.map((alias) => this.#compare(alias, page, host)).includes(true)
  }

  /** Compares a page with the one of the plain URL. Returns whether that refutes a suspicion. */
  #compare({ plain, mark, directory }: Alias, page: PlainUrl, host: string): boolean {
    const key = this.#hash(plain)
    this.#expected.delete(key)
    const known = this.#table.find(key)
    if (known === undefined || known.url === page.url) {
      this.#table.put(key, page)
      return false
    }
    const outcome = compared(known, page)
    if (outcome === undefined || page.hashes === undefined) return false
    const { words } = page.hashes
    const marks = directory === undefined ? [mark] : [mark, directory]
    return marks.map((each) => this.#note(host, each, outcome, words)).includes(true)
  }

  /** Returns whether no other URL of the same page was let through lately: it may be in flight. */
  #isFirst(key: number, url: string): boolean {
    if (this.#expected.size >= MAX_EXPECTED) this.#expected.clear()
    const before = this.#expected.get(key)
    if (before === undefined) this.#expected.set(key, url)
    return before === undefined || before === url
  }

  /** Notes a comparison. Returns whether it refutes a suspicion. */
  #note(host: string, mark: string, outcome: PageComparison, words: number): boolean {
    const key = this.#keyOf(host, mark)
    const before = this.#table.evidence(key) ?? { host, mark, ...NONE }
    const isNewPage = outcome !== 'different' && !before.pages.includes(words)
    const pages =
      isNewPage && before.pages.length < MAX_PAGES ? [...before.pages, words] : before.pages
    const after = { ...before, [outcome]: before[outcome] + 1, pages }
    this.#table.putEvidence(key, after)
    const finding = findingOf(after)
    if (finding.alike >= SUSPECT) this.#suspects.add(host)
    return finding.isRefuted && !findingOf(before).isRefuted && this.#suspects.has(host)
  }

  #findingOn(host: string, mark: string): MarkFinding {
    const evidence = this.#table.evidence(this.#keyOf(host, mark))
    return evidence === undefined ? { alike: 0, isRefuted: false } : findingOf(evidence)
  }

  #keyOf(host: string, mark: string): number {
    return this.#hash(`${host} ${mark}`)
  }
}

type PageComparison = 'same' | 'sameWords' | 'different'

/** Compares two pages; returns undefined when one has no content to compare. */
function compared(one: PlainUrl, other: PlainUrl): PageComparison | undefined {
  if (one.hashes === undefined || other.hashes === undefined) return undefined
  if (one.hashes.all === other.hashes.all) return 'same'
  return one.hashes.words === other.hashes.words ? 'sameWords' : 'different'
}

function findingOf({ mark, same, sameWords, different, pages }: MarkEvidence): MarkFinding {
  const kind = ALIAS_KINDS.find((each) => mark.startsWith(each)) ?? 'repeat'
  const proof = PROOFS[kind]
  const strangers = proof.pagesOfWords === undefined ? different + sameWords : different
  const compared = same + sameWords + different
  const enough = (sameWords > 0 ? proof.pagesOfWords : proof.pages) ?? Number.POSITIVE_INFINITY
  const isRefuted = strangers > proof.different * compared
  return { alike: isRefuted || pages.length < enough ? 0 : same + sameWords, isRefuted }
}
