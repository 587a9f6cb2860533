import { PASSED_URL_AT } from './generated/constants.ts'
import { forgetHrefs } from './href-cache.ts'
import { forgetTargets, targetOf } from './targets.ts'

/** Forgets all URLs and hrefs. */
export function forget(): void {
  forgetHrefs()
  forgetTargets()
}

/** Returns the number of the URL in `passedUrl`; -1 if there is no more room for URLs. */
export function numberOf(length: i32): i32 {
  return targetOf(PASSED_URL_AT, length)
}
