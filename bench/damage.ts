import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BAD_VALUES, type Column, columnsIn, corrupt } from '../test/support/damage.ts'
import { DamagedJob } from '../test/support/damaged-job.ts'
import { runAll } from '../test/support/damaged-runs.ts'
import { KilledCrawl } from '../test/support/killed-crawl.ts'

// npm run build && node bench/damage.ts
// Writes each of several bad values into each column of the state of a killed crawl, and runs all commands that read
// it. Then does the same with the keys of a job in Redis. Fails if a command hangs, shows a stack trace, or fails
// without reporting that the state or the job is damaged.
// test/cli/damaged-state.test.ts and damaged-job.test.ts are the short forms.

const total = { damages: 0, runs: 0, refused: 0, faults: 0 }
await damageState()
await damageJob()
console.log(JSON.stringify(total))
if (total.faults > 0) process.exitCode = 1

async function damageState(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'orbweaver-damage-'))
  const crawl = await KilledCrawl.begin(folder)
  try {
    await crawl.restore()
    for (const column of columnsIn(join(crawl.state, 'crawl.sqlite'))) {
      await damageColumn(crawl, column)
      console.log(JSON.stringify({ ...total, column: `${column.table}.${column.column}` }))
    }
  } finally {
    await crawl.site.close()
    await rm(folder, { recursive: true })
  }
}

async function damageColumn(crawl: KilledCrawl, column: Column): Promise<void> {
  for (const [name, value] of BAD_VALUES) {
    await crawl.restore()
    if (!corrupt(join(crawl.state, 'crawl.sqlite'), column, value)) continue
    total.damages++
    for (const { command, fault, code } of await runAll(crawl)) {
      total.runs++
      if (code !== 0) total.refused++
      const place = `${column.table}.${column.column} where ${column.where} = ${name}`
      if (fault !== undefined) report(`${place}: ${command}: ${fault}`)
    }
  }
}

async function damageJob(): Promise<void> {
  const job = await DamagedJob.begin()
  try {
    const damages = await job.damages()
    total.damages += damages.length
    for (const fault of await job.faults(damages)) report(fault)
  } finally {
    await job.close()
  }
}

function report(fault: string): void {
  total.faults++
  console.error(fault)
}
