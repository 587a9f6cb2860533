import type { FileOutput } from '../sinks/file-output.ts'

/** `close` reports errors. */
const DEAF = { drained() {}, closed() {}, failed() {} }

/** Writes texts to a new file and closes it. */
export async function writeFile(file: FileOutput, texts: Iterable<string>): Promise<void> {
  file.open(DEAF)
  for (const text of texts) file.write([text])
  await file.close()
}
