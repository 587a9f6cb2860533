import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { callCrawl } from '../support/call-cli.ts'
import { serveSite } from '../support/crawl-site.ts'
import { useFolder, visitsIn } from '../support/state-run.ts'

const path = useFolder()
const SEED = 'http://127.0.0.1:9/'
const DEAR = 'dear data'

beforeEach(async () => {
  await mkdir(path('cloned', 'sub'), { recursive: true })
  await writeFile(path('dear.txt'), DEAR)
})

/** Runs a crawl in a stranger's folder that contains a config file. */
async function crawlWith(settings: object, ...args: readonly string[]) {
  const file = path('cloned', 'crawler.config.json')
  await writeFile(file, JSON.stringify({ workers: 1, logLevel: 'error', ...settings }))
  return callCrawl(args, '', { cwd: path('cloned') })
}

/** Returns the lines of the error that refuses a crawl, as the setting and the rest. */
async function refusal(settings: object, ...args: readonly string[]) {
  const { code, stdout, stderr } = await crawlWith(settings, ...args)
  expect([code, stdout]).toEqual([2, ''])
  const lines = stderr.trimEnd().split('\n')
  return lines.map((line) => line.replace(/^crawl: crawler\.config\.json: /, ''))
}

describe('a config file found in the working directory', () => {
  it('sets what is crawled and how, and may name outputs inside of the directory', async () => {
    const site = await serveSite({ '/': '<title>Home</title>' })
    const settings = {
      ...{ seeds: [site.url], depth: 0, ignoreRobots: true, timeout: '9s', cookies: 'jar.txt' },
      ...{ output: ['visits.jsonl', './sub/all.csv'], skipped: 'skipped.jsonl' },
      ...{ links: 'sub/links.jsonl', saveBodies: 'mirror', state: 'kept' },
      ...{ headers: {}, insecure: false },
    }
    const run = await crawlWith(settings, '--allow-private')
    expect(run).toMatchObject({ code: 0, stdout: '', stderr: '' })
    expect(await visitsIn(path('cloned', 'visits.jsonl'))).toMatchObject([{ title: 'Home' }])
    for (const name of [
      'sub/all.csv',
      'skipped.jsonl',
      'sub/links.jsonl',
      'mirror',
      'kept',
      'jar.txt',
    ])
      expect(existsSync(path('cloned', name)), name).toBe(true)
  })

  it('is named in the report of a check, which prints no log without a terminal', async () => {
    const site = await serveSite({ '/': '<a href=/a>' })
    const check = ['check', `${site.url}/`, '--allow-private']
    const text = await crawlWith({ depth: 0, logLevel: 'warn' }, ...check)
    expect(text.stderr).toBe('')
    expect(text.stdout.trimEnd().split('\n').at(-1)).toBe('Settings from crawler.config.json.')
    const json = await crawlWith({ depth: 0 }, ...check, '-f', 'json')
    expect(JSON.parse(json.stdout)).toMatchObject({ configFile: 'crawler.config.json' })
    const named = await crawlWith({}, ...check, '--config', 'crawler.config.json', '-f', 'json')
    expect(JSON.parse(named.stdout)).not.toHaveProperty('configFile')
  })

  it('is named in the log, unless it sets nothing or --config names it', async () => {
    const site = await serveSite({ '/': '<title>Home</title>' })
    const line = expect.stringContaining('"msg":"Settings from crawler.config.json"')
    const firstLine = async (settings: object, ...args: readonly string[]) =>
      (await crawlWith({ logLevel: 'info', ...settings }, site.url, ...args)).stderr.split('\n')[0]
    expect(await firstLine({})).toEqual(line)
    expect(await firstLine({}, '--dry-run')).toEqual(line)
    expect(await firstLine({}, '--config', 'crawler.config.json')).not.toEqual(line)
    expect(await firstLine({}, '--quiet')).toBe('')
    await writeFile(path('cloned', 'crawler.config.json'), '{ "$schema": "x.json" }')
    const run = await callCrawl([site.url], '', { cwd: path('cloned') })
    expect(run.stderr).not.toContain('Settings from')
  })

  it('runs no code, sends no secrets, and turns off no protection', async () => {
    const settings = {
      ...{ seeds: ['https://me:pw@a.example/'], hooks: './hooks.mjs', overwrite: true },
      ...{ frontier: ['redis://127.0.0.1:9'], job: 'x', force: true, headers: { 'X-Trace': '1' } },
      ...{ insecure: true, proxy: 'http://127.0.0.1:9', allowPrivate: true },
    }
    const no = 'not taken from a file that --config does not name'
    const remedy = 'name this file with --config'
    expect(await refusal(settings)).toEqual([
      `seeds: user and password are ${no}: give the seed, or ${remedy}`,
      `hooks: is ${no}: ${remedy}`,
      `overwrite: is ${no}: give --overwrite, or ${remedy}`,
      `frontier: is ${no}: give --frontier, or ${remedy}`,
      `force: is ${no}: give --force, or ${remedy}`,
      `headers: is ${no}: give --header, or ${remedy}`,
      `insecure: is ${no}: give --insecure, or ${remedy}`,
      `proxy: is ${no}: give --proxy, or ${remedy}`,
      `allowPrivate: is ${no}: give --allow-private, or ${remedy}`,
    ])
  })

  it('writes nothing outside of the directory, not even through links', async () => {
    await symlink('..', path('cloned', 'away'))
    await symlink('../dear.txt', path('cloned', 'file-away'))
    await symlink('../not-yet', path('cloned', 'nowhere-yet'))
    const settings = {
      output: ['fine.jsonl', '../out.jsonl', path('out.csv'), 'nowhere-yet', '.git/hooks/x'],
      ...{ skipped: 'file-away', links: 'away/links.jsonl', saveBodies: '..' },
      screenshots: '/tmp/shots',
      ...{ state: 'away/kept', cookies: '../cookies.txt' },
    }
    const lines = await refusal(settings, SEED)
    const why = 'is hidden, or outside of the working directory: give '
    expect(lines.map((line) => line.split(why))).toEqual(
      [
        [`output: ../out.jsonl `, '--output'],
        [`output: ${path('out.csv')} `, '--output'],
        [`output: nowhere-yet `, '--output'],
        [`output: .git/hooks/x `, '--output'],
        [`skipped: file-away `, '--skipped'],
        [`links: away/links.jsonl `, '--links'],
        [`saveBodies: .. `, '--save-bodies'],
        [`screenshots: /tmp/shots `, '--screenshots'],
        [`state: away/kept `, '--state'],
        [`cookies: ../cookies.txt `, '--cookies'],
      ].map(([start, flag]) => [start, `${flag}, or name this file with --config`]),
    )
    expect(existsSync(path('cloned', 'fine.jsonl'))).toBe(false)
  })

  it('cannot make a crawl wait for a pipe in the directory', async () => {
    execFileSync('mkfifo', [path('cloned', 'pipe')])
    const settings = { output: ['a.jsonl', 'pipe'], skipped: 'pipe', cookies: './pipe' }
    const remedy = 'or name this file with --config'
    expect(await refusal(settings, SEED)).toEqual([
      `output: pipe is a pipe or a device: give --output, ${remedy}`,
      `skipped: pipe is a pipe or a device: give --skipped, ${remedy}`,
      `cookies: ./pipe is a pipe or a device: give --cookies, ${remedy}`,
    ])
  })

  it('may do all of that if --config names it, and flags override it', async () => {
    const settings = { proxy: 'http://127.0.0.1:1', output: '../out.jsonl', seeds: [SEED] }
    expect(await refusal(settings)).toHaveLength(3)
    const named = await crawlWith(settings, '--config', 'crawler.config.json')
    expect(named).toMatchObject({ code: 3, stdout: '' })
    expect(await visitsIn(path('out.jsonl'))).toHaveLength(1)
    const flags = [SEED, '--proxy', 'http://127.0.0.1:9', '-o', '../other.jsonl']
    expect(await crawlWith(settings, ...flags)).toMatchObject({ code: 3, stdout: '' })
    expect(await visitsIn(path('other.jsonl'))).toHaveLength(1)
  })

  it('cannot have a file replaced by claiming that a crawl wrote it', async () => {
    const site = await serveSite({ '/': '<title>Home</title>' })
    const state = { state: 'kept', output: 'mine.jsonl' }
    expect((await crawlWith(state, site.url)).code).toBe(0)
    await rename(path('dear.txt'), path('cloned', 'mine.jsonl'))
    expect(await refusal({ ...state, depth: 5 }, site.url)).toEqual([
      expect.stringMatching(
        /^crawl: kept: output: .+mine\.jsonl is not the file that this crawl wrote, or is a copy of it: give --output again$/,
      ),
    ])
    expect(await readFile(path('cloned', 'mine.jsonl'), 'utf8')).toBe(DEAR)
  })

  it('may not be an endless file', async () => {
    await symlink('/dev/zero', path('cloned', 'crawler.config.json'))
    const run = await callCrawl([SEED], '', { cwd: path('cloned') })
    expect([run.code, run.stderr]).toEqual([
      2,
      'crawl: crawler.config.json: expected a file of at most 1 MiB; --config names another one\n',
    ])
  })
})
