import { cp, rename } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config/resolve-config.ts'
import type { ConfigInput } from '../../src/config/schema.ts'
import type { Format } from '../../src/config/settings/output-settings.ts'
import { openOutputs } from '../../src/formats/open-outputs.ts'
import { packLinks } from '../../src/messages/pack-links.ts'
import type { Output } from '../../src/output/output.ts'
import type { Visit } from '../../src/records/visit.ts'
import type { Delivery } from '../../src/records/visit-attachments.ts'
import { checkResumeSettings, storeSettings } from '../../src/state/resume-settings.ts'
import { StateDirectory } from '../../src/state/state-directory.ts'
import { ledger } from '../support/ledger.ts'
import { recordOf } from '../support/record-of.ts'
import { useFolder } from '../support/state-run.ts'

/** A file format to test. */
export interface FormatCase {
  /** Name of a file, whose extension selects the format. */
  readonly file: string
  /** The format, if the extension doesn't tell it. */
  readonly format?: Format
  /** Further settings. */
  readonly settings?: Pick<ConfigInput, 'splitWarc'>
  /** Returns the n-th visit. */
  visit?(n: number): Delivery
  /**
   * Reads the content of a finished file with an independent parser.
   * @throws Error if the file is malformed
   */
  read(file: string): unknown[] | Promise<unknown[]>
}

const silent = { drained() {}, closed() {}, failed() {} }

export function visitOf(n: number): Delivery {
  const visit: Visit = {
    ...{ url: `http://a.test/${n}`, status: 200, depth: 1, via: 'http://a.test/0', hop: 'link' },
    ...{ contentType: 'text/html', charset: 'utf-8', bytes: n, title: `Page ${n}`, links: 1 },
    ...{ attempts: 1, time: '2026-11-22T00:00:00.000Z' },
  }
  const outlinks = packLinks([`http://a.test/${n + 1}`, 'http://a.test/0'])
  return { record: recordOf(visit), outlinks }
}

/** Writes these visits to a file, in the format of its extension. */
export async function writeVisits(
  file: string,
  visits: readonly Delivery[],
  settings: Pick<ConfigInput, 'warcDedup' | 'overwrite'> = {},
): Promise<void> {
  const config = resolveConfig({ seeds: ['http://a.test/'], output: file, ...settings })
  const { outputs } = await openOutputs(config, new PassThrough(), undefined)
  outputs.visits.open(silent)
  outputs.visits.write(visits)
  await outputs.visits.finish()
  await outputs.visits.close()
}

/** Tests the behavior of outputs in every format. */
export function keepsTheContract(formatCase: FormatCase): void {
  const { file, format, settings, visit = visitOf, read } = formatCase
  const path = useFolder()
  const visits = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => visit(from + index))

  /** Runs a crawl with a state: the process ends after `work`. */
  async function run(name: string, work: (output: Output, commit: () => Promise<void>) => unknown) {
    const directory = StateDirectory.open(path(`state-of-${name}`))
    const output = path(`${name}-${file}`)
    const input = { seeds: ['http://a.test/'], output, ...(format && { format }), ...settings }
    const config = resolveConfig(input)
    checkResumeSettings(directory, config, () => 'some advice')
    storeSettings(directory, config, input)
    const { outputs } = await openOutputs(config, new PassThrough(), directory)
    outputs.visits.open(silent)
    await work(outputs.visits, async () => {
      directory.commit({ ...ledger, positions: await outputs.visits.sync() })
    })
    await outputs.visits.close()
    directory.close()
  }

  /** Returns the output of an uninterrupted crawl. */
  async function whole(name: string, count: number) {
    await run(name, async (output) => {
      output.write(visits(0, count))
      await output.finish()
    })
    return read(path(`${name}-${file}`))
  }

  describe(`${file}, after its crawl was killed and resumed`, () => {
    it('has the content that an uninterrupted crawl would have written', async () => {
      await run('killed', async (output, commit) => {
        await commit()
        output.write(visits(0, 3))
        await commit()
        output.write(visits(3, 9)) // after the last commit
      })
      await run('killed', async (output, commit) => {
        output.write(visits(3, 5))
        await commit()
      })
      await run('killed', async (output, commit) => {
        output.write(visits(5, 8))
        await output.finish()
        await commit()
      })
      expect(await read(path(`killed-${file}`))).toEqual(await whole('whole', 8))
    })

    it('continues even after the crawl had ended', async () => {
      await run('ended', async (output, commit) => {
        output.write(visits(0, 3))
        await output.finish()
        await commit()
      })
      expect(await read(path(`ended-${file}`))).toEqual(await whole('short', 3))
      await run('ended', async (output) => {
        output.write(visits(3, 5))
        await output.finish()
      })
      expect(await read(path(`ended-${file}`))).toEqual(await whole('long', 5))
    })

    it('starts anew if the crawl was killed before the first commit', async () => {
      await run('early', () => cp(path('state-of-early'), path('left'), { recursive: true }))
      // A killed process removes nothing.
      await rename(path('left'), path('state-of-early'))
      expect(await whole('early', 2)).toEqual(await whole('whole', 2))
    })

    it('is well-formed without a visit', async () => {
      expect(await whole('empty', 0)).toEqual([])
    })
  })
}
