import type { JoinedJob } from '../cluster/join-job.ts'
import type { Output, Sink } from '../output/output.ts'
import type { BodyFolder, LinkGraph } from '../records/visit-attachments.ts'
import type { StateDirectory } from '../state/state-directory.ts'
import type { ShownElsewhere } from './stats/progress-log.ts'

/** Where a crawl writes to, and what it is a part of. */
export interface CrawlOutputs {
  readonly visits: Output
  /** Set when `visits` needs the links of pages beside the records. */
  readonly linkGraph?: LinkGraph | undefined
  /** Folder of bodies, which workers write for `visits`. */
  readonly bodies?: BodyFolder | undefined
  /** Takes a line for each skipped URL. */
  readonly skipped?: Sink
  /** The state directory of a crawl that is kept; closed at the end. */
  readonly directory?: StateDirectory | undefined
  /** Reports that a person sees elsewhere, so that the log leaves them out. */
  readonly shown?: ShownElsewhere
  /** The job that the process takes part in; left at the end. */
  readonly joined?: JoinedJob | undefined
}
