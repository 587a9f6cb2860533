import { expect, it } from 'vitest'
import { importMapEdits, scriptLinkEdits } from '../../src/mirror/script-edits.ts'
import { applyEdits } from '../../src/mirror/text-edits.ts'

const NEW: Record<string, string> = { './a.js': 'b.js', '/c.js': '../c.js', 'd.png': 'e.png' }
const relink = (url: string) => NEW[url]

it.each([
  [`import './a.js'; import("/c.js")`, `import './b.js'; import("../c.js")`],
  ['import(`./a.js`); import x from "./other.js"', 'import(`./b.js`); import x from "./other.js"'],
  [`new URL("d.png", import.meta.url)`, `new URL("./e.png", import.meta.url)`],
  [`import './a.js'; (`, `import './a.js'; (`],
])('the script %s becomes %s', (script, changed) => {
  expect(applyEdits(script, scriptLinkEdits(script, relink))).toBe(changed)
})

it('a URL stays inside of its string, whatever its quotes', () => {
  const script = 'import("./a.js"); import(\'./a.js\'); import(`./a.js`)'
  const edits = scriptLinkEdits(script, () => `https://x.test/a.js?'"\`\${b}\\`)
  const url = 'https://x.test/a.js?%27%22%60$%7Bb}%5C'
  expect(applyEdits(script, edits)).toBe(`import("${url}"); import('${url}'); import(\`${url}\`)`)
})

it('the modules of an import map are changed, and their digests no longer apply', () => {
  const map = `{"imports": {"a": ".\\u002fa.js", "lib/": "/c/"}, "integrity": {"./a.js": "sha384-x"}}`
  expect(applyEdits(map, importMapEdits(map, relink))).toBe(
    `{"imports": {"a": "./b.js", "lib/": "/c/"}, "data-integrity": {"./a.js": "sha384-x"}}`,
  )
})

it('an import map without changes keeps its digests', () => {
  const map = '{"imports": {"x": "./x.js"}, "integrity": {"./x.js": "sha384-x"}}'
  expect(importMapEdits(map, relink)).toEqual([])
})
