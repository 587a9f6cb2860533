import { isUtf8 } from 'node:buffer'

/** The likely encoding of a page that declares none. */
export function detect(body: Buffer): string {
  return isUtf8(body) ? 'utf-8' : 'windows-1252'
}
