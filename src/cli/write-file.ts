import type { FileOutput } from '../sinks/file-output.ts'

/** Nobody waits for the file: `close` tells what went wrong. */
const DEAF = { drained() {}, closed() {}, failed() {} }

/** Writes texts to a file that was created for them, and closes it. */
export async function writeFile(file: FileOutput, texts: Iterable<string>): Promise<void> {
  file.open(DEAF)
  for (const text of texts) file.write([text])
  await file.close()
}
