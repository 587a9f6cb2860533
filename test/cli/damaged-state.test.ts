import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { BAD_VALUES, columnsIn, corrupt } from '../support/damage.ts'
import { COMMANDS, type DamagedRun, runAll } from '../support/damaged-runs.ts'
import { KilledCrawl } from '../support/killed-crawl.ts'
import { chosen, IN_SOAK } from '../support/soak.ts'

let folder = ''
let crawl: KilledCrawl

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orbweaver-'))
  crawl = await KilledCrawl.begin(folder)
})

beforeEach(() => crawl.restore())

afterAll(async () => {
  await crawl.site.close()
  rmSync(folder, { recursive: true, force: true })
})

const file = (name = 'crawl.sqlite') => join(crawl.state, name)

function change(statements: string): void {
  const database = new DatabaseSync(file(), { enableForeignKeyConstraints: false })
  database.exec(statements)
  database.close()
}

/**
 * Returns where each commit in a log ends. Behind the last one are frames of an earlier log, with other salts (SQLite,
 * "WAL File Format").
 */
function endsOfCommits(log: Buffer): number[] {
  const frame = 24 + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  const ends: number[] = []
  let start = 32
  while (start + frame <= log.length && log.subarray(start + 8, start + 16).equals(salts)) {
    const isCommit = log.readUInt32BE(start + 4) > 0
    start += frame
    if (isCommit) ends.push(start)
  }
  return ends
}

function faultsIn(runs: readonly DamagedRun[]): string[] {
  return runs.flatMap(({ command, fault }) => (fault === undefined ? [] : [`${command}: ${fault}`]))
}

it('an undamaged state is read by all commands, and its crawl continues', async () => {
  const runs = await runAll(crawl)
  expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0))
})

/** Values that are invalid in different ways: by type, range or format. */
const SOME_VALUES = ['null', 'garbage', 'an unsafe integer', 'bytes', 'truncated JSON']

/** Number of columns that are tried with each value. bench/damage.ts tries all, with all commands. */
const TRIED = IN_SOAK ? 4 : 1
/** Distance between the first columns that are tried with a value and with the next value. */
const STEP = 12

describe('a damaged column of the state', () => {
  const values = BAD_VALUES.map(([name, value], index) => ({ name, value, index }))
  it.each(chosen(values, ({ name }) => SOME_VALUES.includes(name)))(
    'with $name as its value is reported in one sentence, or does no harm',
    async ({ name, value, index }) => {
      const all = columnsIn(file())
      const columns = [...all.slice(STEP * index), ...all.slice(0, STEP * index)]
      const faults: string[] = []
      let damages = 0
      for (const column of columns) {
        await crawl.restore()
        if (!corrupt(file(), column, value)) continue
        damages++
        const place = `${column.table}.${column.column} where ${column.where}`
        const command = COMMANDS[(damages + index) % (COMMANDS.length - 1)] ?? 'state'
        const commands = [command, 'crawl'] as const
        // In a soak, the crawl is resumed and a command reads the state; otherwise one of the two, alternately.
        const runs = await runAll(
          crawl,
          chosen(commands, (_, at) => at === index % 2),
        )
        faults.push(...faultsIn(runs).map((fault) => `${place} = ${name}: ${fault}`))
        if (damages === TRIED) break
      }
      expect(faults).toEqual([])
      expect(damages).toBeGreaterThan(0)
    },
  )

  const waiting: [what: string, damage: string, message: string | undefined][] = [
    ['an invalid URL', `url = 'nonsense'`, 'urls.url: expected an http URL, got "nonsense"'],
    ['a file: URL', `url = 'file:///etc/passwd'`, 'urls.url: expected an http URL, got "file:'],
    ['a URL of another host', `url = 'http://a.test/'`, 'urls.url: expected a URL of 127.0.0.1:'],
    ['an enormous depth', 'depth = 4503599627370496', undefined],
    ['no host', 'host = 77', 'hosts has no row for the hosts of 1 URL in urls'],
  ]
  it.each(chosen(waiting, ([what]) => what !== 'a file: URL'))(
    'whose waiting URL has %s is reported, or does no harm',
    async (_, damage, message) => {
      change(`UPDATE urls SET ${damage} WHERE id = (SELECT max(id) FROM urls WHERE state = 0)`)
      const { code, stderr } = await callCrawl(crawl.command)
      expect(code).toBe(message === undefined ? 0 : 6)
      if (message !== undefined) {
        expect(stderr).toContain(`crawl: ${crawl.state}: its database is damaged: ${message}`)
      }
    },
  )

  it('that would keep all hosts from being scheduled is repaired', async () => {
    change('UPDATE hosts SET due = NULL')
    expect((await callCrawl(crawl.command)).code).toBe(0)
  })
})

it('a missing table or index is reported by name', async () => {
  const database = new DatabaseSync(file(), { readOnly: true })
  const names = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL AND name <> 'crawl'")
    .all()
  database.close()
  expect(names.length).toBeGreaterThan(15)
  for (const [index, { type, name }] of chosen([...names.entries()], ([at]) => at % 3 === 0)) {
    await crawl.restore()
    change(`DROP ${type} ${name}`)
    for (const { code, stderr } of await runAll(crawl, [index % 2 === 0 ? 'seen has' : 'crawl'])) {
      expect({ code, stderr }).toEqual({
        code: 6,
        stderr: `crawl: ${crawl.state}: its database is damaged: ${name} is missing; restore a copy, or begin again with another --state\n`,
      })
    }
  }
})

const GARBAGE = Buffer.from('garbage '.repeat(1_000))
const remove = (path: string) => rmSync(path)
const empty = (path: string) => truncateSync(path, 0)
const halve = (path: string) => truncateSync(path, Math.ceil(readFileSync(path).length / 2))
const fill = (path: string) => writeFileSync(path, GARBAGE)
const spoilStart = (path: string) => spoil(path, 0)
const spoilMiddle = (path: string) => spoil(path, Math.ceil(readFileSync(path).length / 2))
const replace = (path: string) => {
  rmSync(path)
  mkdirSync(path)
}

function spoil(path: string, at: number): void {
  const bytes = readFileSync(path)
  GARBAGE.copy(bytes, at)
  writeFileSync(path, bytes)
}

describe('a damaged file of the state:', () => {
  const log = ' missing, so crawl.sqlite-wal is damaged or was removed (crawl --force continues'
  const count = 'the file commits is damaged or was removed'
  const damages = [
    ['crawl.sqlite', 'removed', remove, 'crawl.sqlite is missing'],
    ['crawl.sqlite', 'replaced by a directory', replace, 'crawl.sqlite to be a file'],
    ['crawl.sqlite-wal', 'removed', remove, log],
    ['crawl.sqlite-wal', 'emptied', empty, log],
    ['crawl.sqlite-wal', 'truncated to half', halve, log],
    ['crawl.sqlite-wal', 'damaged at its start', spoilStart, log],
    ['crawl.sqlite-wal', 'damaged in its middle', spoilMiddle, log],
    ['commits', 'removed', remove, count],
    ['commits', 'emptied', empty, count],
    ['commits', 'filled with garbage', fill, count],
    ['commits', 'truncated to half', halve, count],
    ['lock.sqlite', 'filled with garbage', fill, 'lock.sqlite is damaged'],
  ] as const
  const isTold = ([name, how]: (typeof damages)[number]) =>
    name.endsWith('.sqlite') || !/emptied|start|garbage/.test(how)
  it.each(chosen(damages, isTold))(
    '%s that was %s is reported by the crawl',
    async (name, _, damage, message) => {
      damage(file(name))
      const { code, stderr } = await callCrawl(crawl.command)
      expect(stderr).toMatch(/^crawl: [^\n]+\n$/)
      expect(stderr).toContain(message)
      expect(code).toBe(6)
    },
  )

  const spoilt = [
    ['crawl.sqlite', 'emptied', empty],
    ['crawl.sqlite', 'truncated to half', halve],
    ['crawl.sqlite', 'damaged at its start', spoilStart],
    ['crawl.sqlite', 'damaged in its middle', spoilMiddle],
  ] as const
  it.each(chosen(spoilt, (_, at) => at % 2 === 1))(
    '%s that was %s after a checkpoint of its log is reported',
    async (name, _, damage) => {
      change('PRAGMA wal_checkpoint(TRUNCATE)')
      damage(file(name))
      const runs = await runAll(crawl)
      expect(faultsIn(runs)).toEqual([])
      expect(runs.at(-1)).toMatchObject({ command: 'crawl', code: 6 })
    },
  )

  const harmless: [how: string, damage: (path: string) => void, names: string[]][] = [
    ['removed', remove, ['crawl.sqlite-shm', 'pid', 'lock.sqlite']],
    ['filled with garbage', fill, ['crawl.sqlite-shm', 'pid', 'seen.sqlite']],
  ]
  it.each(chosen(harmless, (_, at) => at === 1))(
    'a file without data of the crawl may be %s',
    async (_, damage, names) => {
      for (const name of names) damage(file(name))
      const runs = await runAll(crawl, ['state', 'crawl'])
      expect(runs.map(({ code }) => code)).toEqual([0, 0])
    },
  )

  const harms = [
    ['removed', remove],
    ['damaged', spoilStart],
  ] as const
  it.each(chosen(harms, (_, at) => at === 0))(
    'crawl.sqlite-wal that was %s together with the count of commits is reported',
    async (_, damage) => {
      damage(file('crawl.sqlite-wal'))
      damage(file('commits'))
      const runs = await runAll(crawl, ['state', 'seen add', 'crawl'])
      expect(runs.map(({ code }) => code)).toEqual([6, 6, 6])
      expect(runs.at(-1)?.stderr).toContain(count)
      expect(await callCrawl([...crawl.command, '--force'])).toMatchObject({ code: 0 })
    },
  )

  it('a truncated log is reported, and --force continues from the rest', async () => {
    const log = file('crawl.sqlite-wal')
    // The last commit may not be counted yet, since the process may have been killed before it counted it.
    const [end = 0] = endsOfCommits(readFileSync(log)).slice(-2)
    truncateSync(log, end - 10)
    expect((await callCrawl(crawl.command)).code).toBe(6)
    expect((await callCrawl(['state', crawl.state])).code).toBe(6)
    expect(await callCrawl([...crawl.command, '--force'])).toMatchObject({ code: 0 })
    expect((await callCrawl(['state', crawl.state])).code).toBe(0)
  })
})
