import type { MessagePort } from 'node:worker_threads'
import type { IncomingFolder } from '../records/incoming-file.ts'
import type { RenderSettings } from '../render/render-options.ts'
import type {
  FetchedPage,
  RenderedPage,
  ResourceLoad,
  ResourceReply,
} from '../render/rendered-page.ts'

/** The data that the render thread is started with. */
export interface RenderSetup extends RenderSettings {
  /** Folder for screenshots; undefined if no output saves them. */
  readonly screenshots?: IncomingFolder | undefined
  readonly port: MessagePort
}

/** The reason why a page is not rendered with `--render auto`. */
export type Unrendered = 'no-scripts' | 'deepest' | 'template-static'

/** The result of rendering a page. */
export type RenderResult =
  | RenderedPage
  | { readonly failure: string }
  /** The page was not rendered, since rendering similar pages revealed nothing new. */
  | { readonly unrendered: Unrendered }

/** Sent by the main thread. */
export type RenderCommand =
  | {
      readonly type: 'render'
      readonly id: number
      readonly page: FetchedPage
      /** Number of signs that the page needs a browser. */
      readonly signs: number
    }
  /** The reply to a `load` event. */
  | { readonly type: 'loaded'; readonly id: number; readonly reply: ResourceReply }
  /** No further message follows. */
  | { readonly type: 'end' }

/** Sent by the render thread. */
export type RenderEvent =
  | { readonly type: 'rendered'; readonly id: number; readonly result: RenderResult }
  /** A page loads a resource. */
  | ({ readonly type: 'load'; readonly id: number } & ResourceLoad)
  /** A page may not load a resource. */
  | { readonly type: 'refused'; readonly url: string; readonly reason: string }
  /** The browser could not be started. */
  | { readonly type: 'failed'; readonly message: string }
