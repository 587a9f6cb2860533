import { HOMEPAGE, VERSION } from '../version.ts'

/** Identifies the crawler to a site's owner, with a link to what it does and how to stop it. */
export const USER_AGENT = `orbweaver/${VERSION} (+${HOMEPAGE})`
