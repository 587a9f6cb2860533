import { isDevice, isDirectory } from '../../output/file-identity.ts'
import { openFileOutput } from '../../output/file-output.ts'
import { writeTexts } from '../../output/write-texts.ts'

/** Handlers that do nothing: `close` reports errors. */
const NO_EVENTS = { closed() {}, failed() {} }

/**
 * Checks that a file can be written, before the work on its content begins. Changes nothing, so that an interrupted
 * command leaves no empty file, which the next command would refuse to replace.
 * @throws CrawlerError
 */
export async function checkWritable(name: string, overwrite: boolean): Promise<void> {
  // Opening a pipe would wait for its reader, and closing it would end that reader.
  if (isDevice(name) && !isDirectory(name)) return
  const file = await openFileOutput(name, { overwrite })
  await file.discard()
}

/** Writes texts to a new file and closes it. Deletes it if that fails. */
export async function writeFile(
  name: string,
  overwrite: boolean,
  texts: Iterable<string>,
): Promise<void> {
  const file = await openFileOutput(name, { overwrite })
  try {
    await writeTexts(file, texts, NO_EVENTS)
    await file.close()
  } catch (error) {
    await file.discard()
    throw error
  }
}
