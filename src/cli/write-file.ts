import type { FileOutput } from '../output/file-output.ts'

/** Handlers that do nothing: `close` reports errors. */
const NO_EVENTS = { drained() {}, closed() {}, failed() {} }

/** Writes texts to a new file and closes it. */
export async function writeFile(file: FileOutput, texts: Iterable<string>): Promise<void> {
  file.open(NO_EVENTS)
  for (const text of texts) file.write([text])
  await file.close()
}
