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

/** Characters of the templates of a host: each report on a host has them. */
const MAX_CHARACTERS = 2_000
/** Documents that show links only in a browser. */
const MAX_SHELLS = 10

const template = record({
  scripts: text,
  directory: text,
  pages: count,
  barren: count,
  isStatic: flag,
})
const learnedForm = record({
  learned: optional(record({ templates: list(template), shells: list(text) })),
})

/** Gives and takes over the templates of the pages of hosts, with `--render auto`. */
export interface HostLearning {
  /** Returns what was learned about a host, if anything was. */
  learnedOf(host: string): LearnedHost | undefined
  /** Takes over what another process has learned about a host. */
  adopt(host: string, learned: LearnedHost): void
}

/** Returns the entry of a host's past that shows what was learned about its pages: the latest of it. */
export function learnedPast(learned: LearnedHost | undefined): { learned?: LearnedHost } {
  if (learned === undefined) return {}
  const { templates, shells } = learned
  return { learned: { templates: latest(templates), shells: shells.slice(-MAX_SHELLS) } }
}

/** Returns what another process has learned about the pages of a host. */
export function learnedIn(past: string): LearnedHost | undefined {
  return parseStoredJson(learnedForm, past, 'past').learned
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
