import type { JoinableJob } from '../cluster/join-job.ts'
import type { Output, Sink } from '../output/output.ts'
import type { BodyFolder, IncomingFolder } from '../records/incoming-file.ts'
import type { LinkGraph } from '../records/visit-attachments.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import type { ShownElsewhere } from './stats/progress-log.ts'

/** The outputs of a crawl, with its state directory or its job. */
export interface CrawlOutputs {
  readonly visits: Output
  /** Set if `visits` needs the links of pages in addition to the records. */
  readonly linkGraph?: LinkGraph | undefined
  /** The folder in which workers save bodies, for `visits`. */
  readonly bodies?: BodyFolder | undefined
  /** The folder in which screenshots are saved, for `visits`. */
  readonly screenshots?: IncomingFolder | undefined
  /** Receives a line for each skipped URL. */
  readonly skipped?: Sink
  /** Returns whether a link out of the scope need not be requested, since its outcome is known. */
  readonly isKnownExternal?: ((url: string) => boolean) | undefined
  /** The state directory of a crawl that is kept. The crawl closes it at the end. */
  readonly directory?: StateDirectory | undefined
  /** Reports that are shown elsewhere, so that the log omits them. */
  readonly shown?: ShownElsewhere
  /** The job that the crawl joins once it can start, and leaves at the end. */
  readonly job?: JoinableJob | undefined
}
