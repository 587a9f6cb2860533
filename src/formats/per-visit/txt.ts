import type { TextFormat } from './text-output.ts'

/** URLs of the visits that were answered with 2xx, one per line: what `--seeds` and `xargs` read. */
export const txt: TextFormat = {
  head: '',
  encode({ fields: { url, status = 0 } }) {
    return status >= 200 && status < 300 ? `${url}\n` : ''
  },
}
