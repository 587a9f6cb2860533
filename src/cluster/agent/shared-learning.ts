import {
  count,
  flag,
  list,
  optional,
  parseStoredJson,
  record,
  text,
} from '../../database/validate-stored-values.ts'
import type { LearnedHost, StoredTemplate } from '../../render/learning/host-templates.ts'

/** Maximum characters of a host's templates in JSON, since each report on a host contains them. */
const MAX_CHARACTERS = 2_000
/** Maximum number of documents of a host that show links only in a browser. */
const MAX_SHELLS = 10

const template = record({
  scripts: text,
  directory: text,
  pages: count,
  barren: count,
  isStatic: flag,
})
const learnedSchema = record({
  learned: optional(record({ templates: list(template), shells: list(text) })),
})

/** The page templates that `--render auto` has learned about hosts. */
export interface HostLearning {
  /** Returns the templates of a host; undefined if there are none. */
  learnedOf(host: string): LearnedHost | undefined
  /** Adopts the templates of a host that another process has learned. */
  adopt(host: string, learned: LearnedHost): void
}

/** Returns the field `learned` of a host's past: the latest templates and documents, as many as fit. */
export function learnedPast(learned: LearnedHost | undefined): { learned?: LearnedHost } {
  if (learned === undefined) return {}
  const { templates, shells } = learned
  return { learned: { templates: latest(templates), shells: shells.slice(-MAX_SHELLS) } }
}

/** Returns the templates of a host that another process has learned, from the host's past. */
export function learnedIn(past: string): LearnedHost | undefined {
  return parseStoredJson(learnedSchema, past, 'past').learned
}

function latest(templates: readonly StoredTemplate[]): StoredTemplate[] {
  let left = MAX_CHARACTERS
  return templates
    .toReversed()
    .filter((each) => {
      left -= JSON.stringify(each).length
      return left >= 0
    })
    .toReversed()
}
