import { CrawlerError, createFileOutput, htmlReport, isSameFile } from '../index.ts'
import { EXIT_CODE } from './exit-code.ts'
import { print, tellError } from './print.ts'
import type { ReportFlags } from './report-command.ts'
import type { World } from './world.ts'
import { writeTexts } from './write-texts.ts'

/** Carries out `crawl report`; gives the exit code. */
export async function runReport(
  visits: string,
  { links, log, output, overwrite }: ReportFlags,
  world: World,
): Promise<number> {
  try {
    const files = { visits, links, log }
    refuseInputs(files, output, world)
    if (output === '-') await print([await htmlReport(files)], world)
    else await writeReport(files, output, overwrite === true)
    return EXIT_CODE.done
  } catch (error) {
    return tellError(error, world)
  }
}

/** What the report is made of would be gone before, or after, it was read. */
function refuseInputs(
  files: Parameters<typeof htmlReport>[0],
  output: string,
  { stdout }: World,
): void {
  const [name, target] = output === '-' ? ['stdout', stdout.fd] : [output, output]
  if (target === undefined) return
  for (const input of Object.values(files)) {
    if (input === undefined || !isSameFile(input, target)) continue
    const message = `${name}: expected a file of its own, got the same file as ${input}`
    throw new CrawlerError('usage', message)
  }
}

/** A file that can't be written is told before anything is read; one that stood there stays so long. */
async function writeReport(
  files: Parameters<typeof htmlReport>[0],
  name: string,
  overwrite: boolean,
): Promise<void> {
  const file = await createFileOutput(name, { overwrite })
  const report = await htmlReport(files).catch(async (error) => {
    await file.discard()
    throw error
  })
  await writeTexts(file, [report])
}
