import { writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { loadHooks } from '../../../src/page-data/hooks/load-hooks.ts'
import { useFolder } from '../../support/state-run.ts'

const path = useFolder()

it('hooks are imported by a path or a URL', async () => {
  await writeFile(path('hooks.mjs'), 'export const onPage = () => ({ one: 1 })')
  for (const name of [path('hooks.mjs'), pathToFileURL(path('hooks.mjs')).href]) {
    expect(await loadHooks(name)).toHaveProperty('onPage')
  }
})

it.each([
  ['a CommonJS module', 'hooks.cjs', 'module.exports = { onPage: () => ({ one: 1 }) }'],
  ['a default export', 'hooks.mjs', 'export default { onPage: () => ({ one: 1 }) }'],
])('hooks may be properties of %s', async (_, name, code) => {
  await writeFile(path(name), code)
  expect(await loadHooks(path(name))).toHaveProperty('onPage')
})

it.each([
  ["doesn't exist", undefined, /^hooks: cannot import .+hooks\.mjs: Cannot find/],
  [
    'has no hook',
    'export const onpage = 1',
    /functions onPage or shouldFollow, but .+ exports onpage \(did you mean onPage\?\)$/,
  ],
  ["has a hook that isn't a function", 'export const onPage = 1', /expected .+ functions/],
  [
    'has a default export without a hook',
    'export default null',
    /functions onPage or shouldFollow, but .+ exports default$/,
  ],
  ['exports nothing', '', /functions onPage or shouldFollow, but .+ exports nothing$/],
  ['fails', 'throw new Error("x")', /^hooks: cannot import .+hooks\.mjs: x$/],
])('hooks are refused if the module %s', async (_, code, message) => {
  if (code !== undefined) await writeFile(path('hooks.mjs'), code)
  await expect(loadHooks(path('hooks.mjs'))).rejects.toMatchObject({
    ...{ kind: 'usage', message: expect.stringMatching(message) },
  })
})
