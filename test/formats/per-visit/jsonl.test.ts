import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { visitsIn } from '../../support/state-run.ts'
import { unzstd } from '../../support/unzstd.ts'
import { keepsTheContract } from '../output-contract.ts'

const visitsOf = (text: Buffer): unknown[] =>
  text
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

keepsTheContract({ file: 'visits.jsonl', read: visitsIn })
keepsTheContract({
  file: 'visits.jsonl.gz',
  read: (file) => visitsOf(gunzipSync(readFileSync(file))),
})
keepsTheContract({
  file: 'visits.jsonl.zst',
  read: (file) => visitsOf(unzstd(readFileSync(file))),
})
