import * as v from 'valibot'
import { duration, setting } from './fields.ts'

/** How long hosts are waited for. */
export const politenessSettings = {
  maxRetryAfter: setting(
    'any',
    'longest Retry-After that is waited for; a URL that comes with a longer one has failed',
    v.optional(duration(), '2m'),
  ),
  hostPatience: setting(
    'any',
    'time for which a host that stops answering is waited for before it is given up',
    v.optional(duration(), '2m'),
  ),
}
