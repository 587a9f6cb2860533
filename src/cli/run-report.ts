import { createFileOutput, htmlReport } from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { print, tellError } from './print.ts'
import type { ReportFlags } from './report-command.ts'
import type { World } from './world.ts'
import { writeTexts } from './write-texts.ts'

/** Carries out `crawl report`; gives the exit code. */
export async function runReport(
  visits: string,
  { output, overwrite }: ReportFlags,
  world: World,
): Promise<number> {
  try {
    if (output === '-') await print([await htmlReport(visits)], world)
    else await writeReport(visits, output, overwrite === true)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}

/** A file that can't be written is told before the visits are read; one that stood there stays so long. */
async function writeReport(visits: string, name: string, overwrite: boolean): Promise<void> {
  const file = await createFileOutput(name, { overwrite })
  const report = await htmlReport(visits).catch(async (error) => {
    await file.discard()
    throw error
  })
  await writeTexts(file, [report])
}
