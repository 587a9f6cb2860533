import type { Likeness } from '../messages/messages.ts'
import { ALIAS_KINDS, type Alias, type AliasKind, aliasesOf } from './alias.ts'
import type { AliasTable, MarkEvidence, PlainUrl } from './alias-table.ts'
import type { TrapVerdict } from './pattern-yield.ts'

/** Pages found to be the same from which further URLs wait for the rest of their host. */
const SUSPECT = 8
/** Pages found to be the same from which further URLs are dropped. */
const ALIKE = 32

/** What it takes to believe that a part of URLs makes no difference. */
interface Proof {
  /** Pages of different content that were the same with another id: a shell that is always the same proves nothing. */
  readonly pages: number
  /** The same where pages are the same but for numbers; undefined where they have to be the same in all. */
  readonly pagesOfWords: number | undefined
  /** Share of comparisons that may find another page. */
  readonly different: number
}

const PROOFS: Readonly<Record<AliasKind, Proof>> = {
  named: { pages: 1, pagesOfWords: 1, different: 1 / 8 },
  session: { pages: 3, pagesOfWords: 8, different: 1 / 8 },
  id: { pages: 3, pagesOfWords: undefined, different: 0 },
  repeat: { pages: 1, pagesOfWords: undefined, different: 0 },
}
/** Contents of pages that are kept of each mark: as many as any proof asks for. */
const MAX_PAGES = 8

/** Pages that are remembered to be in flight, many more than are. */
const MAX_EXPECTED = 10_000

/** The one that counts first, where a URL may be another name of several pages. */
const VERDICTS: readonly TrapVerdict[] = ['trap', 'later']

const NONE = { same: 0, sameWords: 0, different: 0, pages: [] } as const

/** What is known of a mark: how many pages say that it makes no difference, and whether any says that it does. */
interface Finding {
  readonly alike: number
  readonly isRefuted: boolean
}

/**
 * Recognises URLs that lead to a page which was visited by another URL: those with a session id, or with
 * segments that repeat. Their form says which parts may make no difference, and pages that are the same
 * with and without say that they don't. A page is left out only if it was visited by another URL.
 */
export class AliasGuard {
  readonly #table: AliasTable
  readonly #hash: (text: string) => number
  /** Hosts with a mark that is suspected. */
  readonly #suspects: Set<string>
  /** By the hash of a plain URL: a URL that was let go, and was not visited yet. */
  readonly #expected = new Map<number, string>()

  /** @param hash keyed, so that nobody can prepare URLs that count as one */
  constructor(table: AliasTable, hash: (text: string) => number) {
    this.#table = table
    this.#hash = hash
    this.#suspects = new Set(table.marksSince(SUSPECT).map(({ host }) => host))
  }

  /** What is to become of a URL. */
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
   * A page was visited whose URL may be another name of one.
   * @returns whether something is trusted again that was suspected
   */
  visited(url: string, host: string, { shown, keepsIds }: Likeness): boolean {
    const page = { url: this.#hash(url), shown }
    const aliases = aliasesOf(url).filter(({ ids }) => ids.length === 0 || keepsIds !== true)
    return aliases.map((alias) => this.#compare(alias, page, host)).includes(true)
  }

  /** @returns whether it refutes what was suspected */
  #compare({ plain, mark, directory }: Alias, page: PlainUrl, host: string): boolean {
    const key = this.#hash(plain)
    this.#expected.delete(key)
    const known = this.#table.find(key)
    if (known === undefined || known.url === page.url) {
      this.#table.put(key, page)
      return false
    }
    const outcome = compared(known, page)
    if (outcome === undefined || page.shown === undefined) return false
    const { words } = page.shown
    const marks = directory === undefined ? [mark] : [mark, directory]
    return marks.map((each) => this.#note(host, each, outcome, words)).includes(true)
  }

  /** Whether no other URL of the same page was let go lately: that one may be in flight. */
  #isFirst(key: number, url: string): boolean {
    if (this.#expected.size >= MAX_EXPECTED) this.#expected.clear()
    const before = this.#expected.get(key)
    if (before === undefined) this.#expected.set(key, url)
    return before === undefined || before === url
  }

  /** Notes a comparison; true when it refutes what was suspected. */
  #note(host: string, mark: string, outcome: Outcome, words: number): boolean {
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

  #findingOn(host: string, mark: string): Finding {
    const evidence = this.#table.evidence(this.#keyOf(host, mark))
    return evidence === undefined ? { alike: 0, isRefuted: false } : findingOf(evidence)
  }

  #keyOf(host: string, mark: string): number {
    return this.#hash(`${host} ${mark}`)
  }
}

type Outcome = 'same' | 'sameWords' | 'different'

/** Undefined where one of two pages can't be compared. */
function compared(one: PlainUrl, other: PlainUrl): Outcome | undefined {
  if (one.shown === undefined || other.shown === undefined) return undefined
  if (one.shown.all === other.shown.all) return 'same'
  return one.shown.words === other.shown.words ? 'sameWords' : 'different'
}

function findingOf({ mark, same, sameWords, different, pages }: MarkEvidence): Finding {
  const kind = ALIAS_KINDS.find((each) => mark.startsWith(each)) ?? 'repeat'
  const proof = PROOFS[kind]
  const strangers = proof.pagesOfWords === undefined ? different + sameWords : different
  const compared = same + sameWords + different
  const enough = (sameWords > 0 ? proof.pagesOfWords : proof.pages) ?? Number.POSITIVE_INFINITY
  const isRefuted = strangers > proof.different * compared
  return { alike: isRefuted || pages.length < enough ? 0 : same + sameWords, isRefuted }
}
