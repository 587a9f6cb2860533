import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { callCrawl } from './call-cli.ts'
import { listen } from './listen.ts'

/**
 * Returns a shell function that writes its arguments and exported variables to a folder, sends its name, and waits for
 * the exit code.
 */
const crawlFunction = (port: number) => `crawl() {
  local code call=$(mktemp -d)
  printf '%s\\0' "$@" > "$call/args"
  env -0 > "$call/env"
  exec 3<>/dev/tcp/127.0.0.1/${port}
  echo "$call" >&3
  read -r code <&3
  cat "$call/stdout"
  cat "$call/stderr" >&2
  return "$code"
}
`

/**
 * Runs a bash script in a directory. Its `crawl` runs in this process, at a quarter of the cost of a process for each.
 * No other test may run meanwhile, since directory and environment are those of this process.
 */
export async function runScript(script: string, directory: string) {
  const before = { directory: process.cwd(), environment: process.env }
  const server = createServer((socket) => void answer(socket))
  const calls = crawlFunction(await listen(server))
  process.chdir(directory)
  try {
    const options = ['--norc', '-euo', 'pipefail', '-c', calls + script]
    const shell = spawn('bash', options, { cwd: directory })
    const [stdout, stderr, [code]] = await Promise.all([
      text(shell.stdout),
      text(shell.stderr),
      once(shell, 'close'),
    ])
    return { code, stdout, stderr }
  } finally {
    process.chdir(before.directory)
    process.env = before.environment
    server.close()
  }
}

async function answer(socket: Socket): Promise<void> {
  const [line] = await once(socket, 'data')
  const call = String(line).trimEnd()
  const variables = (await readValues(join(call, 'env'))).map((each) => each.split(/=(.*)/s, 2))
  const env = Object.fromEntries(variables)
  process.env = env
  const { code, stdout, stderr } = await callCrawl(await readValues(join(call, 'args')), '', {
    env,
  })
  await writeFile(join(call, 'stdout'), stdout)
  await writeFile(join(call, 'stderr'), stderr)
  socket.end(`${code}\n`)
}

/** Returns texts that each end with a null byte. */
async function readValues(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\0').slice(0, -1)
}
