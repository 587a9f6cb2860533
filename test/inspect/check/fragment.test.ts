import { expect, it } from 'vitest'
import { hasTarget } from '../../../src/inspect/check/fragment.ts'

const names = new Set(['intro', 'größe', 'a%20b', 'x y', '100% größe'])

it.each([
  ...['#intro', '#', '', '#top', '#TOP', '#gr%C3%B6%C3%9Fe', '#a%20b', '#x%20y'],
  ...['#100%%20gr%C3%B6%C3%9Fe', '#:~:text=word', '#intro:~:text=word', '#!/route', '#/route'],
])('%j has a target in the page', (hash) => {
  expect(hasTarget(hash, names)).toBe(true)
})

it.each(['#outro', '#Intro', '#%E0%A4%A', '#%69ntro2', '#missing:~:text=word'])(
  '%j has no target in the page',
  (hash) => {
    expect(hasTarget(hash, names)).toBe(false)
  },
)
