import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Browser } from '../../src/render/browser/browser.ts'
import { screenshotTaker } from '../../src/screenshots/take-screenshot.ts'
import { useFolder } from '../support/state-run.ts'

const path = useFolder()

/** A page whose browser takes a while for a screenshot, in place of a busy machine. */
function slowPage(take: () => Promise<{ data: string }>, evaluate: () => Promise<unknown>) {
  const events: string[] = []
  const send = (method: string) =>
    method === 'Page.captureScreenshot'
      ? take()
      : Promise.resolve({ cssLayoutViewport: { clientWidth: 9 }, cssContentSize: { height: 9 } })
  const inFront = (_: string, __: number, work: () => Promise<unknown>) => work()
  const page = {
    browser: { send, inFront } as unknown as Browser,
    ...{ sessionId: 's', patience: 300, isUsedFurther: true },
    stopScripts: () => void events.push('stopped'),
    evaluate: (script: string) => {
      if (script.includes('scrolled ?? []')) events.push('scrolled back')
      return evaluate()
    },
  }
  return { events, page }
}

const taker = () => screenshotTaker({ path: path('.'), isDurable: false }, 1)

it('the scripts of a page that answers go on, however long its screenshot takes', async () => {
  const take = () => setTimeout(1_500, { data: Buffer.from('png').toString('base64') })
  const { events, page } = slowPage(take, () => Promise.resolve())
  const screenshot = await taker()(page)
  expect(events).toEqual(['scrolled back'])
  expect('file' in screenshot && readFileSync(screenshot.file, 'utf8')).toBe('png')
})

it('a page is scrolled back even if its screenshot fails', async () => {
  const { events, page } = slowPage(
    () => Promise.reject(new Error('no screenshot')),
    () => Promise.resolve(),
  )
  await expect(taker()(page)).rejects.toThrow('no screenshot')
  expect(events).toEqual(['scrolled back'])
})
