import { execFile } from 'node:child_process'
import { BIN, EndedRun } from './run-cli.ts'

/** Runs the command with limits as `ulimit` takes them, such as `-n 64`. */
export function runLimited(limits: string, args: readonly string[]): Promise<EndedRun> {
  const command = ['-c', `ulimit ${limits} && exec "$0" "$@"`, process.execPath, BIN, ...args]
  return new Promise((resolve) => {
    const child = execFile('sh', command, (_, stdout, stderr) => {
      resolve(new EndedRun(child.exitCode, stdout, stderr))
    })
  })
}

/** Returns the messages of the log that are warnings or worse. */
export function warningsOf({ stderr }: Pick<EndedRun, 'stderr'>): string[] {
  const lines: { level: number; msg: string }[] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines.filter(({ level }) => level >= 40).map(({ msg }) => msg)
}
