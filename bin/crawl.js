#!/usr/bin/env node
// Before anything that an older Node doesn't know: it is to say so, in one line.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`crawl: expected Node.js 22.19 or newer, got ${process.versions.node}`)
  process.exitCode = 2
} else {
  // Node's own answer opens its debugger to all programs of the machine.
  process.on('SIGUSR1', () => {})
  const { run } = await import('../dist/cli.js')
  await run()
}
