import type { AliasEvidence } from '../messages/outcome.ts'
import type { AliasTable, MarkEvidence, VisitedPage } from './alias-table.ts'
import type { TrapVerdict } from './pattern-yield.ts'
import { type AliasKind, type PlainForm, plainFormsOf } from './url-alias.ts'

/** Number of equal pages after which further URLs are deferred. */
const MIN_EQUAL_TO_DEFER = 8
/** Number of equal pages after which further URLs are dropped. */
const MIN_EQUAL_TO_DROP = 32

/** The evidence that is needed to conclude that a part of URLs makes no difference. */
interface RequiredProof {
  /** Minimum number of different pages among the equal ones: an empty page, always the same, proves nothing. */
  readonly pages: number
  /** The same if some of them differ in numbers; undefined if pages must be equal in everything. */
  readonly pagesOfWords: number | undefined
  /**
   * Minimum number of different pages among the equal ones for dropping URLs of further pages. With fewer, only pages
   * that were found equal themselves are dropped: an id that makes no difference for pages that ask visitors to log in
   * may select the content of others.
   */
  readonly pagesForAll: number
  /** Maximum share of comparisons that find different pages. */
  readonly different: number
}

const PROOFS: Readonly<Record<AliasKind, RequiredProof>> = {
  named: { pages: 1, pagesOfWords: 1, pagesForAll: 1, different: 1 / 8 },
  session: { pages: 3, pagesOfWords: 8, pagesForAll: 3, different: 1 / 8 },
  id: { pages: 3, pagesOfWords: undefined, pagesForAll: 32, different: 0 },
  repeat: { pages: 1, pagesOfWords: undefined, pagesForAll: 0, different: 0 },
}
/** Maximum number of pages to keep for each mark: the highest number that any kind of alias requires. */
const MAX_PAGES = 32

/** Maximum number of pages to remember as in flight, far above the number of requests in flight. */
const MAX_EXPECTED = 10_000

/** The verdicts in order of precedence, for a URL that may be an alias of several URLs. */
const VERDICTS: readonly TrapVerdict[] = ['drop', 'defer']

const NONE = { same: 0, sameWords: 0, different: 0, pages: [] } as const

/** The conclusion from the evidence on a mark. */
interface MarkFinding {
  /** Number of equal pages that show that the mark makes no difference; 0 while the evidence doesn't suffice. */
  readonly alike: number
  /** True if compared pages show that the mark makes a difference. */
  readonly isRefuted: boolean
  /** True if URLs may also be dropped if their own pages were not found equal under another URL. */
  readonly isForAll: boolean
}

const NO_FINDING: MarkFinding = { alike: 0, isRefuted: false, isForAll: false }

/**
 * Recognizes URLs of pages that were already visited under another URL, such as URLs with a session id or repeated
 * segments. The form of a URL shows which parts may make no difference. Pages that are equal with and without such a
 * part prove it. A URL is dropped only if its page was visited under another URL.
 */
export class AliasGuard {
  readonly #table: AliasTable
  readonly #hash: (text: string) => number
  /** Hosts with a suspected mark. */
  readonly #suspects: Set<string>
  /** URLs that were allowed but are not visited yet, by the hash of their plain URL. */
  readonly #expected = new Map<number, string>()

  /** @param hash a keyed hash, so that no site can create URLs that collide */
  constructor(table: AliasTable, hash: (text: string) => number) {
    this.#table = table
    this.#hash = hash
    this.#suspects = new Set(table.marksSince(MIN_EQUAL_TO_DEFER).map(({ host }) => host))
  }

  /** Returns whether to fetch, defer or drop a URL. */
  verdict(url: string, host: string): TrapVerdict {
    if (!this.#suspects.has(host)) return 'fetch'
    const verdicts = plainFormsOf(url).map((form) => this.#verdictOn(form, url, host))
    return VERDICTS.find((each) => verdicts.includes(each)) ?? 'fetch'
  }

  #verdictOn(form: PlainForm, url: string, host: string): TrapVerdict {
    const { kind, mark, directory } = form
    const own = this.#findingOn(host, mark, kind)
    if (own.isRefuted) return 'fetch'
    const shared = directory && this.#findingOn(host, directory, kind)
    const alike = Math.max(own.alike, shared && !shared.isRefuted ? shared.alike : 0)
    if (alike < MIN_EQUAL_TO_DEFER) return 'fetch'
    const key = this.#hash(form.plain)
    const known = this.#table.find(key)
    if (known === undefined) return this.#expect(key, url) ? 'fetch' : 'defer'
    if (known.url === this.#hash(url)) return 'fetch'
    if (alike < MIN_EQUAL_TO_DROP) return 'defer'
    const isProven = own.isForAll || this.#table.find(this.#equalKeyOf(form.plain)) !== undefined
    return isProven ? 'drop' : 'defer'
  }

  /**
   * Learns from a visited page whose URL may be an alias.
   * @returns whether a suspected mark is trusted again
   */
  visited(url: string, host: string, { hashes, keepsIds }: AliasEvidence): boolean {
    const page = { url: this.#hash(url), hashes }
    const forms = plainFormsOf(url).filter(({ ids }) => ids.length === 0 || keepsIds !== true)
    return forms.map((form) => this.#compare(form, page, host)).includes(true)
  }

  /** Compares a page with the known page of the same plain URL. Returns whether the result refutes a suspicion. */
  #compare({ kind, plain, mark, directory }: PlainForm, page: VisitedPage, host: string): boolean {
    const key = this.#hash(plain)
    this.#expected.delete(key)
    const known = this.#table.find(key)
    if (known === undefined || known.url === page.url) {
      this.#table.put(key, page)
      return false
    }
    const outcome = compared(known, page)
    if (outcome === undefined || page.hashes === undefined) return false
    if (outcome === 'same' && kind === 'id') this.#table.put(this.#equalKeyOf(plain), page)
    const comparison = { kind, outcome, words: page.hashes.words }
    const marks = directory === undefined ? [mark] : [mark, directory]
    return marks.map((each) => this.#note(host, each, comparison)).includes(true)
  }

  /** Notes that a URL will be in flight. Returns false, and doesn't note it, if another URL of the same page is. */
  #expect(key: number, url: string): boolean {
    if (this.#expected.size >= MAX_EXPECTED) this.#expected.clear()
    const before = this.#expected.get(key)
    if (before === undefined) this.#expected.set(key, url)
    return before === undefined || before === url
  }

  /** Adds a comparison to the evidence on a mark. Returns whether it refutes a suspicion. */
  #note(host: string, mark: string, { kind, outcome, words }: AliasComparison): boolean {
    const key = this.#keyOf(host, mark)
    const before = this.#table.evidence(key) ?? { host, mark, ...NONE }
    const isNewPage = outcome !== 'different' && !before.pages.includes(words)
    const pages =
      isNewPage && before.pages.length < MAX_PAGES ? [...before.pages, words] : before.pages
    const after = { ...before, [outcome]: before[outcome] + 1, pages }
    this.#table.putEvidence(key, after)
    const finding = findingOf(after, kind)
    if (finding.alike >= MIN_EQUAL_TO_DEFER) this.#suspects.add(host)
    return finding.isRefuted && !findingOf(before, kind).isRefuted && this.#suspects.has(host)
  }

  #findingOn(host: string, mark: string, kind: AliasKind): MarkFinding {
    const evidence = this.#table.evidence(this.#keyOf(host, mark))
    return evidence === undefined ? NO_FINDING : findingOf(evidence, kind)
  }

  /** Returns the key under which a page is stored that was found equal under another URL. */
  #equalKeyOf(plain: string): number {
    return this.#hash(`same ${plain}`)
  }

  #keyOf(host: string, mark: string): number {
    return this.#hash(`${host} ${mark}`)
  }
}

type PageComparison = 'same' | 'sameWords' | 'different'

/** A comparison of a page with the known page of the same plain URL. */
interface AliasComparison {
  readonly kind: AliasKind
  readonly outcome: PageComparison
  /** Hash of the words of the page. */
  readonly words: number
}

/** Compares two pages; returns undefined if one of them has no content to compare. */
function compared(one: VisitedPage, other: VisitedPage): PageComparison | undefined {
  if (one.hashes === undefined || other.hashes === undefined) return undefined
  if (one.hashes.all === other.hashes.all) return 'same'
  return one.hashes.words === other.hashes.words ? 'sameWords' : 'different'
}

function findingOf(
  { same, sameWords, different, pages }: MarkEvidence,
  kind: AliasKind,
): MarkFinding {
  const proof = PROOFS[kind]
  const differing = proof.pagesOfWords === undefined ? different + sameWords : different
  const compared = same + sameWords + different
  const enough = (sameWords > 0 ? proof.pagesOfWords : proof.pages) ?? Number.POSITIVE_INFINITY
  const isRefuted = differing > proof.different * compared
  const alike = isRefuted || pages.length < enough ? 0 : same + sameWords
  return { alike, isRefuted, isForAll: pages.length >= proof.pagesForAll }
}
