import { expect, it } from 'vitest'
import { dot } from '../../../src/formats/at-end/dot.ts'
import { graphDerivation } from '../../../src/formats/at-end/graph.ts'
import { sitemap } from '../../../src/formats/at-end/sitemap.ts'
import { sqliteFile } from '../../../src/formats/at-end/sqlite-file.ts'
import { useFolder } from '../../support/state-run.ts'
import { derive } from './derive.ts'

const path = useFolder()

it.each([
  ['a.dot', () => graphDerivation(dot)],
  ['a.xml', sitemap],
  ['a.sqlite', sqliteFile],
])('%s can be interrupted after each visit', (name, derivation) => {
  const file = path(name)
  const visits = [200, 404, 404].map((status, at) => ({ url: `http://a.test/${at}`, status }))
  const pauses = derive(file, derivation(file), visits).filter((text) => text === '')
  expect(pauses.length).toBeGreaterThanOrEqual(visits.length)
})
