import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const INSIDE = 'BENCH_IN_LOOPBACK_NETWORK'

/**
 * Moves this program into a network that has only loopback: the program starts again there, with the same arguments.
 * Names are looked up at an address of that network. So a server at all addresses can't be reached from outside, and no
 * name is looked up elsewhere. It needs root.
 */
export async function enterLoopbackNetwork(nameServer: string): Promise<void> {
  if (process.env[INSIDE] === undefined) process.exit(await runInside())
  const folder = mkdtempSync(join(tmpdir(), 'loopback-network-'))
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${nameServer}\n`)
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf'])
  rmSync(folder, { recursive: true })
}

async function runInside(): Promise<number> {
  const command = ['--mount', '--net', process.execPath, ...process.argv.slice(1)]
  const child = spawn('unshare', command, {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'yes' },
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
