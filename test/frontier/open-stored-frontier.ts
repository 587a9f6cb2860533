import { onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { FrontierOptions } from '../../src/frontier/frontier.ts'
import { SqliteFrontier } from '../../src/frontier/sqlite/sqlite-frontier.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { ledger } from '../support/ledger.ts'
import { useFolder } from '../support/state-run.ts'

const seeds = ['http://a.test/']

/** Creates a directory for the state of each test. Returns its path. */
export function useState(): () => string {
  const path = useFolder()
  return () => path('state')
}

/** Opens a frontier in a directory. `commit` makes it durable; `die` loses what was not committed. */
export function openFrontier(path: string, options: Partial<FrontierOptions> = {}) {
  const directory = StateDirectory.open(path)
  onTestFinished(() => directory.close())
  if (directory.saved === undefined) directory.storeSettings(resolveConfig({ seeds }), { seeds })
  const manners = { depth: 10, perHost: 6, delay: 0, ignoreRobots: true }
  const frontier = new SqliteFrontier({ ...manners, ...options }, directory)
  frontier.stored.resume()
  const commit = () => {
    frontier.stored.save()
    directory.commit(ledger)
  }
  return { frontier, commit, die: () => directory.close() }
}
