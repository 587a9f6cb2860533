import { HOMEPAGE, VERSION } from '../version.ts'

/** Tells a site's owner who calls, and where to read what it does and how to stop it. */
export const USER_AGENT = `orbweaver/${VERSION} (+${HOMEPAGE})`
