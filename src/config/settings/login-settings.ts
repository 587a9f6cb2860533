import * as v from 'valibot'
import { fileName } from '../file-name-schemas.ts'
import { basicLogin } from '../header-schemas.ts'
import { setting } from '../setting.ts'

/** A complete file of `--login`, with the safest check. */
export const LOGIN_EXAMPLE =
  '{"url": "https://example.com/login", "fields": {"user": "me", "password": "secret"}, "check": {"url": "https://example.com/account"}}'

/** Returns false for a URL: the user meant a seed, but the word after --cookies is taken for its file. */
const isNoUrl = (text: string) => !/^https?:\/\//i.test(text)

/** Settings of logins and cookies. */
export const loginSettings = {
  auth: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--auth <user:password>',
      otherNames: [
        '--user',
        '--http-user',
        '--password',
        '--http-password',
        '--basic-auth',
        '--http-auth',
      ],
      isSecret: true,
      help: "log in to the seeds' origins by HTTP Basic or Digest, for sites where the browser itself pops up a password window; other users of the machine can see the password, unlike with --auth-file",
    },
    v.optional(basicLogin),
  ),
  authFile: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--auth-file <file>',
      help: 'read user:password for --auth from this file; or set CRAWL_AUTH',
    },
    v.optional(fileName('a file name')),
  ),
  login: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--login <file>',
      help: `log in before the crawl, with the form that this JSON file describes (fields by the name attributes in its HTML; check.url is a page that only members can open), such as ${LOGIN_EXAMPLE}; links to its login page and links that log out are not followed, and if the login is lost, the crawl logs in again`,
    },
    v.optional(fileName('a file name')),
  ),
  cookies: setting(
    {
      trust: 'inside',
      decides: 'run',
      flag: '--cookies [file]',
      otherNames: [
        '--cookie-jar',
        '--load-cookies',
        '--save-cookies',
        '--cookie-file',
        '--cookiefile',
      ],
      help: 'keep cookies and send them back; a Netscape cookie file is read at the start and written at the end',
    },
    v.optional(
      v.union(
        [v.boolean(), v.pipe(fileName('a file name'), v.check(isNoUrl, 'a file name'))],
        'true, false or a file name',
      ),
      false,
    ),
  ),
}
