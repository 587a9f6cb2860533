import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import mime from 'mime'

// npm run docs:check [-- --base /folder/]: uses this crawler to find broken links and fragments in the built site
const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } })
const root = fileURLToPath(new URL('../', import.meta.url))
const site = join(root, 'build/site/dist')

const server = createServer(async ({ url = '/' }, response) => {
  const path = new URL(url, 'http://localhost').pathname.replace(/\/$/, '/index.html')
  if (!path.startsWith(values.base)) return void response.writeHead(404).end()
  try {
    const file = await readFile(join(site, path.slice(values.base.length)))
    response.writeHead(200, { 'content-type': mime.getType(extname(path)) ?? '' }).end(file)
  } catch {
    response.writeHead(404).end()
  }
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined

const command = [
  join(root, 'bin/crawl.js'),
  'check',
  `http://127.0.0.1:${port}${values.base}`,
  '--no-external',
]
const check = spawn(process.execPath, [...command, '-q', '-d', 'unlimited'], { stdio: 'inherit' })
const [code] = await once(check, 'close')
server.close()
process.exitCode = Number(code ?? 1)
