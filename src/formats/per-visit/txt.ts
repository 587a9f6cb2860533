import type { TextFormat } from './text-output.ts'

/** URLs of visits with a 2xx status, one per line, as `--seeds` and `xargs` read them. */
export const txt: TextFormat = {
  head: '',
  encode({ fields: { url, status = 0 } }) {
    return status >= 200 && status < 300 ? `${url}\n` : ''
  },
}
