import { expect, it } from 'vitest'
import { scriptContent, scriptUrls } from '../../../src/html/loaded-assets/script-urls.ts'
import { growth, SLACK } from '../../support/growth.ts'

const urlsOf = (script: string) => scriptUrls(script).map(({ url }) => url)

it.each([
  [
    `import './a.js'; import b from "/b.js"; import * as c from '../c.js'`,
    ['./a.js', '/b.js', '../c.js'],
  ],
  [`import{a}from"https://cdn.test/a.js";export*from"./b.js"`, ['https://cdn.test/a.js', './b.js']],
  [
    "export { a } from './a.js'; import('./b.js'); import(`./c.js`)",
    ['./a.js', './b.js', './c.js'],
  ],
  [`import data from './a.json' with { type: 'json' }`, ['./a.json']],
  [`import '\\u002E/a.js'; import("./b\\x2ejs")`, ['./a.js', './b.js']],
  [
    `new URL('a.png', import.meta.url); new  URL ( "/b.wasm" , import.meta.url )`,
    ['a.png', '/b.wasm'],
  ],
  ['new Worker(new URL(`w.js?worker`, import.meta.url), { type: "module" })', ['w.js?worker']],
])('the script %s loads %j', (script, urls) => {
  expect(urlsOf(script)).toEqual(urls)
})

it.each([
  [
    'modules that only an import map can resolve',
    `import 'react'; import('node:fs'); import "a/b.js"`,
  ],
  ['URLs that the script computes', `import("./" + name); import(\`./\${name}.js\`); import(name)`],
  [
    'the start of other URLs',
    `new URL('.', import.meta.url); new URL('./images/', import.meta.url)`,
  ],
  [
    'other calls',
    `at("a.js", import.meta.url); new URL("a.js", base); import.meta.resolve("./a.js")`,
  ],
  [
    'computed URLs',
    `new URL(\`\${name}.js\`, import.meta.url); new URL("a" + ".js", import.meta.url)`,
  ],
  [
    'comments and texts',
    `// import './a.js'\n/* import("./b.js") */ "import './c.js'"; /import('d.js')/`,
  ],
  ['the code of scripts with errors', `import './a.js'; if (`],
])('%s are not found', (_, script) => {
  expect(urlsOf(script)).toEqual([])
})

it.each([
  `import './a.js'`,
  `import("./a.js")`,
  'import(`./a.js`)',
  `${' '.repeat(5_000)}new URL('./a.js', import.meta.url)`,
])('the place of a URL is that of its text between the quotes', (script) => {
  expect(scriptUrls(script).map(({ start, end }) => script.slice(start, end))).toEqual(['./a.js'])
})

it.each([
  ...[
    'import("./a.js");',
    'new URL("a.js",import.meta.url);',
    '(',
    'import(',
    '`${',
    '"\\',
    '/*',
    'a/',
  ],
  ...[
    'export {a as ',
    'import.meta.url,',
    'import a from "b" with {',
    'new URL("',
    'export var a,',
  ],
])('a script of %j takes linear time', async (piece) => {
  const read = (size: number) => scriptUrls(`import 'a';${piece.repeat(size)}`)
  expect(await growth(read, 2_000)).toBeLessThan(SLACK)
})

it.each([
  [undefined, 'script'],
  ['', 'script'],
  [' MODULE ', 'script'],
  ['application/x-javascript', 'script'],
  ['importmap', 'import map'],
  ['application/ld+json', undefined],
  ['text/x-template', undefined],
  ['speculationrules', undefined],
])('a script element of type %j contains %s', (type, content) => {
  expect(scriptContent(type)).toBe(content)
})
