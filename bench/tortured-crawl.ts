import { resolveConfig } from '../src/config/resolve-config.ts'
import { startCrawl } from '../src/crawl/start-crawl.ts'
import { TUNING } from '../src/crawl/tuning.ts'
import { openOutputs } from '../src/formats/open-outputs.ts'
import { silentLogger } from '../src/logger.ts'
import { storeSettings } from '../src/state/resume-settings.ts'
import { StateDirectory } from '../src/state/state-directory.ts'

// node bench/tortured-crawl.ts <settings as JSON>
// Runs `crawl`, but commits the state and writes snapshots of the seen set far more often, for bench/kill-torture.ts.

const input = JSON.parse(process.argv[2] ?? '')
const config = resolveConfig(input)
const directory = StateDirectory.open(input.state)
storeSettings(directory, config, input)
if (directory.saved?.ledger.progress !== 'finished') {
  const { outputs } = await openOutputs(config, process.stdout, directory)
  const tuning = { ...TUNING, commitEvery: 20, snapshotEvery: 50 }
  directory.database.exec('PRAGMA wal_autocheckpoint = 20')
  await startCrawl(config, outputs, silentLogger(), tuning).finished
}
directory.close()
