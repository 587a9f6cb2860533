import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { writeVisits } from '../formats/output-contract.ts'
import { useFolder } from '../support/state-run.ts'
import { archivedVisit as visit } from './archived-visit.ts'
import { indexByWarcio, readWarc } from './read-warc.ts'

const path = useFolder()

describe('an archive with --warc-dedup', () => {
  it('refers to the bodies of earlier archives, and contains the others', async () => {
    const first = path('first.warc.gz')
    const second = path('second.warc.gz')
    const later = path('later.warc.gz')
    await writeVisits(first, [visit(0), visit(1)])
    await writeVisits(second, [visit(2)])
    const warcDedup = [path('first.cdxj'), path('second.cdxj')]
    await writeVisits(later, [1, 2, 3, 4, 4].map(visit), { warcDedup })

    const answers = (await readWarc(later)).filter(({ type }) => type !== 'request')
    expect(answers.map(({ type, url }) => [type, url?.slice(14, 15)])).toEqual([
      ...[
        ['revisit', '1'],
        ['revisit', '2'],
        ['revisit', '3'],
      ],
      ...[
        ['response', '4'],
        ['revisit', '4'],
      ],
    ])
    const originals = [...(await readWarc(first)), ...(await readWarc(second))]
    for (const revisit of answers.slice(0, 3)) {
      const digest = revisit.field('WARC-Payload-Digest')
      const original = originals.find((each) => each.field('WARC-Payload-Digest') === digest)
      expect(revisit.field('WARC-Refers-To-Target-URI')).toBe(original?.url)
      const date = original?.field('WARC-Date')?.replace(/\.\d+/, '')
      expect(revisit.field('WARC-Refers-To-Date')).toBe(date)
      expect(revisit.field('WARC-Refers-To')).toBeNull()
    }
    expect(answers[4]?.field('WARC-Refers-To')).toBe(answers[3]?.field('WARC-Record-ID'))
    expect(readFileSync(path('later.cdxj'), 'utf8')).toBe(await indexByWarcio(later))
  })

  it('refuses an index without any body, and replaces no archive that it refers to', async () => {
    const file = path('site.warc.gz')
    writeFileSync(path('empty.cdxj'), '')
    await expect(writeVisits(file, [], { warcDedup: [path('empty.cdxj')] })).rejects.toThrow(
      `${path('empty.cdxj')}: expected an index of an archive with the SHA-1 of at least one body`,
    )
    await writeVisits(file, [visit(1)])
    const before = [readFileSync(file), readFileSync(path('site.cdxj'))]
    const again = writeVisits(file, [visit(1)], { warcDedup: [path('site.cdxj')], overwrite: true })
    await expect(again).rejects.toThrow('expected a separate file, got the same file as')
    expect([readFileSync(file), readFileSync(path('site.cdxj'))]).toEqual(before)
  })
})
