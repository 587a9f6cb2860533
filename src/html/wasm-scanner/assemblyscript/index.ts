import { forget, numberOf } from './forget-urls.ts'
import { useKey } from './hash-bytes.ts'
import { useMetaNames } from './match-attribute-values.ts'
import { prescan } from './prescan.ts'
import { reportLinks } from './report.ts'
import { addLink, resolveLinks, settleLink } from './resolve-links.ts'
import { scan } from './scan.ts'

// What TypeScript calls and reads. (The compiler wants names to be imported before they are exported.)
export {
  addLink,
  forget,
  numberOf,
  prescan,
  reportLinks,
  resolveLinks,
  scan,
  settleLink,
  useKey,
  useMetaNames,
}

/** Where the compiler's tables end: the regions of `layout/` lie behind that. */
export function tablesEnd(): usize {
  return __heap_base
}
