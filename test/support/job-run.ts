import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Visit } from '../../src/records/visit.ts'
import { BIN } from './run-cli.ts'

/** A process that takes part in a job. */
export interface JobProcess {
  readonly child: ChildProcess
  /** Resolves to the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>
  readonly stderr: () => string
  /** Returns its records so far. Of a killed process, the text after the last line feed is omitted. */
  visits(): Promise<Visit[]>
}

export interface JobProcessOptions {
  readonly folder: string
  /** Names the file of its output. */
  readonly name: string
  readonly redis: readonly string[]
  readonly job: string
  readonly args: readonly string[]
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the real `crawl` as one process of a job. */
export function startJobProcess({
  folder,
  name,
  redis,
  job,
  args,
  env = {},
}: JobProcessOptions): JobProcess {
  const output = join(folder, `${name}.jsonl`)
  const shared = ['--frontier', redis.join(), '--job', job, '-o', output]
  const child = spawn(process.execPath, [BIN, ...args, ...shared], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => code)
  return { child, ended, stderr: () => stderr, visits: () => visitsIn(output) }
}

/**
 * Waits for the end of all processes of a job.
 * @throws Error if one of them fails
 */
export async function finishAll(processes: readonly JobProcess[]): Promise<Visit[]> {
  const codes = await Promise.all(processes.map(({ ended }) => ended))
  const bad = processes.find((_, index) => codes[index] !== 0)
  if (bad !== undefined) throw new Error(`ended with ${codes}:\n${bad.stderr()}`)
  return (await Promise.all(processes.map((each) => each.visits()))).flat()
}

async function visitsIn(file: string): Promise<Visit[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  lines.pop()
  return lines.map((line) => JSON.parse(line))
}
