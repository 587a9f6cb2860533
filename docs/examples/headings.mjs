// Prints the headings of each page, and what hooks found on it: node headings.mjs https://example.com/
import { crawl } from 'orbweaver'

const running = crawl({
  seeds: process.argv.slice(2),
  hooks: new URL('headings-hooks.mjs', import.meta.url).href,
  extract: { 'headings[]': 'h1, h2' },
})
for await (const { url, data } of running) {
  if (data !== undefined) console.log(JSON.stringify({ url, ...data }))
}
