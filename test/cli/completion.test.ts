import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCrawl } from '../support/run-cli.ts'

describe('crawl completion bash', () => {
  let script = ''

  beforeAll(async () => {
    const run = await runCrawl(['completion', 'bash'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    script = run.stdout
  })

  /** What a real bash would offer for the last of these words. */
  function offered(...words: string[]): string[] {
    const typed = ['crawl', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _crawl; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trimEnd().split('\n')
  }

  it('knows commands, and the options of each', () => {
    expect(offered('ch')).toEqual(['check'])
    expect(offered('--max-p')).toEqual(['--max-pages', '--max-per-host'])
    expect(offered('check', '--ju')).toEqual(['--junit'])
    expect(offered('http://a.test/', '--dep')).toEqual(['--depth'])
    expect(offered('state', '--')).toEqual(['--json', '--export', '--help'])
    expect(offered('completion', 'z')).toEqual(['zsh'])
    expect(offered('--scope', '')).toEqual([''])
  })

  it('offers files where one is wanted', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-'))
    try {
      writeFileSync(join(folder, 'visits.jsonl'), '')
      const path = join(folder, 'vis')
      expect(offered('-o', path)).toEqual([join(folder, 'visits.jsonl')])
      expect(offered('report', path)).toEqual([join(folder, 'visits.jsonl')])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it.each([
  [
    'zsh',
    [
      "'--junit[also write the problems as JUnit XML]:file:_files'",
      'check) _arguments ',
      `'1:argument:(bash zsh fish)'`,
    ],
  ],
  ['fish', ["-n '__fish_seen_subcommand_from check' -l junit -r -F -d 'also write the problems"]],
])('crawl completion %s tells commands and options', async (shell, parts) => {
  const { code, stdout } = await runCrawl(['completion', shell])
  expect(code).toBe(0)
  for (const part of parts) expect(stdout).toContain(part)
})

it('crawl completion knows no other shell', async () => {
  const run = await runCrawl(['completion', 'tcsh'])
  expect(run).toMatchObject({ code: 2, stdout: '' })
  expect(run.stderr).toContain('Allowed choices are bash, zsh, fish')
})
