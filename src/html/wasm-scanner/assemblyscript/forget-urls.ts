import { PASSED_URL_AT } from './generated/constants.ts'
import { forgetHrefs } from './href-cache.ts'
import { forgetTargets, targetOf } from './targets.ts'

/** Forgets all URLs and hrefs. */
export function forget(): void {
  forgetHrefs()
  forgetTargets()
}

/** The number of the URL in `passedUrl`; -1 where there is no more room for URLs. */
export function numberOf(length: i32): i32 {
  return targetOf(PASSED_URL_AT, length)
}
