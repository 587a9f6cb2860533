import { expect, it, onTestFinished } from 'vitest'
import { ScratchFile } from '../../../src/fetch/http/body/scratch-file.ts'
import { loadResponse, type ReceivedResponse } from '../../../src/fetch/http/decode-response.ts'
import { BodySlots } from '../../../src/runtime/shared-body-memory.ts'

it('a large body that cannot be read frees its slot of shared memory', async () => {
  const memory = BodySlots.allocate(1_000)
  const file = new ScratchFile()
  onTestFinished(() => file.close())
  const stored = file.open()
  stored.append(Buffer.from('x'))
  file.close() // as if the disk failed
  const plan = { slots: new BodySlots(memory, 1) }
  const received = { stored, plan } as unknown as ReceivedResponse
  await expect(loadResponse(received)).rejects.toThrow("can't be read")
  expect(new Int32Array(memory.owners).subarray(1)).not.toContain(1)
})
