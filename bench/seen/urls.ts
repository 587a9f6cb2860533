import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Returns a URL of about 60 characters. URLs with different paths or numbers are different. */
export function generatedUrl(path: string, number: number): string {
  return `https://www.example.com/${path}/section-${number % 97}/chapter-${number % 7}/page-${number}.html`
}

/** Returns the URLs of sites, from the lines `url<TAB>...` of all `.tsv.gz` files in a folder. */
export function realUrls(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.tsv.gz'))
  return files.flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .split('\n')
      .flatMap((line) => line.split('\t')[0] || []),
  )
}
