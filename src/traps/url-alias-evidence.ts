import type { ContentHashes } from '../messages/messages.ts'

/** A page to which several URLs may lead. */
export interface PlainUrl {
  /** Hash of the URL by which it was visited first. */
  readonly url: number
  /** Undefined when it has no content to compare. */
  readonly hashes: ContentHashes | undefined
}

/** Counts of pages that were compared, whose URLs differ in the parts that one mark stands for. */
export interface MarkEvidence {
  readonly host: string
  readonly mark: string
  /** Pages with the same content. */
  readonly same: number
  /** Pages with the same content but for numbers. */
  readonly sameWords: number
  readonly different: number
  /** Hashes of the words of pages that were the same, each once; only the first few. */
  readonly pages: readonly number[]
}

/** The tables of pages that may have several URLs, and of the evidence for that. */
export interface AliasTable {
  /** Returns the page of a plain URL by its hash; undefined when none was visited. */
  find(key: number): PlainUrl | undefined
  /** Stores the page of a plain URL. */
  put(key: number, page: PlainUrl): void
  /** Returns the evidence of a mark by its hash; undefined when there is none. */
  evidence(key: number): MarkEvidence | undefined
  /** Stores the evidence of a mark. */
  putEvidence(key: number, evidence: MarkEvidence): void
  /** Returns the evidence of marks whose pages were the same at least this often. */
  marksSince(same: number): MarkEvidence[]
}
