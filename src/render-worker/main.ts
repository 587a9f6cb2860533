import { threadId, workerData } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import type { RenderCommand, RenderEvent, RenderSetup } from '../messages/render-messages.ts'
import { PageRenderer } from '../render/page-renderer.ts'
import { RenderFailure, type ResourceLoad, type ResourceReply } from '../render/rendered-page.ts'
import { screenshotTaker } from '../screenshots/take-screenshot.ts'

/** The entry point of the render thread, which receives pages from the main thread and returns them rendered. */
const { port, screenshots, ...options }: RenderSetup = workerData
/** Requests of pages that wait for a reply of the main thread. */
const loading = new Map<number, (reply: ResourceReply) => void>()
let lastLoad = 0

type RenderPage = Extract<RenderCommand, { type: 'render' }>

const takeScreenshot = screenshots && screenshotTaker(screenshots, threadId)
const renderer = new PageRenderer({ ...options, onRefused, takeScreenshot }, load)

port.on('message', (command: RenderCommand) => {
  switch (command.type) {
    case 'render':
      void render(command)
      break
    case 'loaded':
      loading.get(command.id)?.(command.reply)
      loading.delete(command.id)
      break
    case 'end':
      void renderer.close().finally(() => port.close())
      break
  }
})

async function render({ id, page, signs }: RenderPage): Promise<void> {
  try {
    post({ type: 'rendered', id, result: await renderer.render(page, signs) })
  } catch (error) {
    if (error instanceof RenderFailure) {
      post({ type: 'rendered', id, result: { failure: error.message } })
    } else post({ type: 'failed', message: messageOf(error) })
  }
}

function onRefused(url: string, reason: string): void {
  post({ type: 'refused', url, reason })
}

function load(request: ResourceLoad): Promise<ResourceReply> {
  const id = ++lastLoad
  return new Promise((resolve) => {
    loading.set(id, resolve)
    post({ type: 'load', id, ...request })
  })
}

function post(event: RenderEvent): void {
  port.postMessage(event)
}
