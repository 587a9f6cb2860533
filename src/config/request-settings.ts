import * as v from 'valibot'
import { fileName, flag, proxy, setting } from './fields.ts'
import { headerName, headerValue, secretValue } from './headers.ts'
import { USER_AGENT } from './user-agent.ts'

/** What follows --cookies is its file, also where a seed was meant. */
const isNoUrl = (text: string) => !/^https?:\/\//i.test(text)

/** What requests say, and which way they go. */
export const requestSettings = {
  userAgent: setting(
    'any',
    'how the crawler names itself; by default with version and address',
    v.optional(v.pipe(headerValue, v.regex(/[A-Za-z_-]/, 'a name')), () => USER_AGENT),
  ),
  headers: setting(
    'given',
    "further request headers, sent to the seeds' origins only",
    v.optional(v.record(headerName, secretValue, 'an object of header names and values'), {}),
  ),
  insecure: setting('given', 'accept any TLS certificate', flag()),
  cookies: setting(
    'inside',
    'keep cookies and send them back; a name is that of a Netscape cookie file, read and written',
    v.optional(
      v.union(
        [v.boolean(), v.pipe(fileName('a file name'), v.check(isNoUrl, 'a file name'))],
        'true, false or a file name',
      ),
      false,
    ),
  ),
  proxy: setting('given', 'URL of a proxy that all requests go through', v.optional(proxy())),
  allowPrivate: setting(
    'given',
    'let sites lead to private addresses; without it only private seeds themselves are open',
    flag(),
  ),
}
