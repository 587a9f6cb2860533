import { hasNewContent } from './boilerplate/new-content.ts'
import { useTextKey } from './boilerplate/text-words.ts'
import { forget, numberOf } from './forget-urls.ts'
import { useKey } from './hash-bytes.ts'
import { useMetaNames } from './match-attribute-values.ts'
import { prescan } from './prescan.ts'
import { reportLinks } from './report.ts'
import { addLink, resolveLinks, setLinkTarget } from './resolve-links.ts'
import { scan } from './scan.ts'

// The functions that TypeScript calls. (The compiler requires names to be imported before they are exported.)
export {
  addLink,
  forget,
  hasNewContent,
  numberOf,
  prescan,
  reportLinks,
  resolveLinks,
  scan,
  setLinkTarget,
  useKey,
  useMetaNames,
  useTextKey,
}

/** Returns the end of the compiler's tables. The regions of `layout/` must start after it. */
export function tablesEnd(): usize {
  return __heap_base
}
