import type { ContentHashes } from '../messages/outcome.ts'

/** A visited page that may have several URLs. */
export interface VisitedPage {
  /** Hash of the URL under which the page was visited first. */
  readonly url: number
  /** Undefined if the page has no content to compare. */
  readonly hashes: ContentHashes | undefined
}

/** The results of comparing pages whose URLs differ only in the parts that one mark stands for. */
export interface MarkEvidence {
  readonly host: string
  readonly mark: string
  /** Number of comparisons that found the same content. */
  readonly same: number
  /** Number of comparisons that found contents that differ only in numbers. */
  readonly sameWords: number
  /** Number of comparisons that found other differences. */
  readonly different: number
  /** Hashes of the words of the equal pages, each once; only the first few. */
  readonly pages: readonly number[]
}

/** Stores visited pages that may have several URLs, and the evidence on marks. */
export interface AliasTable {
  /** Returns the page of a plain URL by the hash of that URL; undefined if none was visited. */
  find(key: number): VisitedPage | undefined
  /** Stores the page of a plain URL. */
  put(key: number, page: VisitedPage): void
  /** Returns the evidence on a mark by the hash of host and mark; undefined if there is none. */
  evidence(key: number): MarkEvidence | undefined
  /** Stores the evidence on a mark. */
  putEvidence(key: number, evidence: MarkEvidence): void
  /** Returns the evidence on all marks with at least this many equal pages. */
  marksSince(same: number): MarkEvidence[]
}
