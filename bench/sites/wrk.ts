import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SECONDS = 3
const CONNECTIONS = 32
const SCRIPT = `local paths = {}
for path in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = path end
local at = 0
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
`

/** Returns the requests per second that a server handles for these paths, measured by wrk on a core of its own. */
export async function serverLimit(
  folder: string,
  origin: string,
  paths: Iterable<string>,
): Promise<number> {
  const [script, list] = [join(folder, 'paths.lua'), join(folder, 'paths')]
  writeFileSync(script, SCRIPT)
  writeFileSync(list, [...paths].join('\n'))
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script, origin]
  const run = await promisify(execFile)('wrk', options, { env: { ...process.env, PATHS: list } })
  const [, rate] = /Requests\/sec:\s+([\d.]+)/.exec(run.stdout) ?? []
  if (rate === undefined) throw new Error(`wrk said: ${run.stdout}`)
  return Number(rate)
}
