import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Command } from 'commander'
import { CrawlerError } from '../../errors.ts'
import { htmlReport, type ReportedFiles } from '../../inspect/report/html-report.ts'
import { isDevice } from '../../output/file-identity.ts'
import type { CliContext, RunAction } from '../cli-context.ts'
import { EXIT_CODE } from '../exit-code.ts'
import { refuseOverwritingInputs } from '../files/refuse-overwriting-inputs.ts'
import { checkOneStdin, textInput } from '../files/text-inputs.ts'
import { checkWritable, writeFile } from '../files/write-file.ts'
import { checkFileNames } from '../options/typed-values.ts'
import { print, printMessage } from '../terminal/print.ts'
import { ReadingView } from '../terminal/reading-view.ts'

interface ReportFlags {
  readonly links?: string
  readonly log?: string
  readonly output?: string
  readonly overwrite?: boolean
}

/** Configures `crawl report <visits>`. */
export function configureReport(command: Command, run: RunAction): void {
  command
    .argument('<visits>', 'visits of a crawl as JSON lines, or a directory of --state; - is stdin')
    .option('--links <file>', 'output of --links: lists all pages that link to a broken URL')
    .option('--log <file>', 'log of the crawl as JSON: draws queue and memory over time')
    .option(
      '-o, --output <file>',
      'write the report to this file; - is stdout (default: report.html at a terminal, else -)',
    )
    .option('--overwrite', 'replace an existing file')
    .action((visits: string, flags: ReportFlags) => {
      return run((context) => report(visits, flags, context))
    })
}

async function report(
  visits: string,
  { links, log, output: named, overwrite = false }: ReportFlags,
  context: CliContext,
): Promise<number> {
  const names = { '<visits>': visits, '--links': links, '--log': log }
  checkFileNames({ ...names, '--output': named })
  checkOneStdin(names)
  const inputs: ReportedFiles = {
    visits: textInput(visits, context),
    links: links && textInput(links, context),
    log: log && textInput(log, context),
  }
  const output = named ?? defaultOutput(overwrite, context)
  checkExtension(output)
  const files = Object.values(names)
  if (output !== '-') refuseOverwritingInputs(files, output)
  else if (context.stdout.fd !== undefined)
    refuseOverwritingInputs(files, 'stdout', context.stdout.fd)
  const view = new ReadingView(
    'making the report',
    files.filter((name) => name !== undefined),
    context,
  )
  const makeReport = () => htmlReport(inputs, view).finally(() => view.end())
  if (output === '-') await print([await makeReport()], context)
  else {
    await checkWritable(output, overwrite)
    await writeFile(output, overwrite, [await makeReport()])
  }
  if (output !== '-' && named === undefined) printMessage(`the report is in ${output}`, context)
  return EXIT_CODE.done
}

/** @throws CrawlerError('usage') if the extension of a name belongs to another format */
function checkExtension(output: string): void {
  if (/^(|\.html?)$/i.test(extname(output)) || isDevice(output)) return
  throw new CrawlerError('usage', `${output}: expected a name that ends in .html`)
}

/**
 * Returns the output if the user named none: stdout; or the file `report.html` if stdout is a
 * terminal, where nobody reads HTML. If that file exists, the name is `report-2.html` and so on.
 */
function defaultOutput(overwrite: boolean, { stdout }: CliContext): string {
  if (stdout.isTTY !== true) return '-'
  let name = 'report.html'
  for (let number = 2; existsSync(name) && !overwrite; number++) name = `report-${number}.html`
  return name
}
