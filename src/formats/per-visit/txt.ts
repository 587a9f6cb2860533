import type { TextFormat } from './text-output.ts'

/** URLs of visits with a 2xx status, one per line, as `--seeds` and `xargs` read them. */
export const txt: TextFormat = {
  head: '',
  encode({ record }) {
    const { url, status = 0 } = record.fields
    return status >= 200 && status < 300 ? `${url}\n` : ''
  },
}
