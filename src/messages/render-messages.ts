import type { MessagePort } from 'node:worker_threads'
import type { FetchedPage, RenderedPage, ResourceReply } from '../render/rendered-page.ts'

/** The data that the render thread is started with. */
export interface RenderSetup {
  /** Path of the browser. */
  readonly browser: string
  /** Pages at a time. */
  readonly pages: number
  /** Milliseconds that a page may take. */
  readonly timeout: number
  /** Characters of a rendered tree. */
  readonly maxHtml: number
  /** True to scroll, and to click buttons. */
  readonly interact: boolean
  /** True to load images and fonts, too: an archive takes them. */
  readonly loadsImages: boolean
  readonly port: MessagePort
}

/** Why a page is not rendered with `--render auto`. */
export type Unrendered = 'no-scripts' | 'deepest' | 'template-static'

/** The result of rendering a page. */
export type RenderResult =
  | RenderedPage
  | { readonly failure: string }
  /** It was not rendered, since others like it brought nothing new. */
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
  /** The reply to a request of a page. */
  | { readonly type: 'loaded'; readonly id: number; readonly reply: ResourceReply }
  /** No further message follows. */
  | { readonly type: 'end' }

/** Sent by the render thread. */
export type RenderEvent =
  | { readonly type: 'rendered'; readonly id: number; readonly result: RenderResult }
  /** A page loads something. */
  | {
      readonly type: 'load'
      readonly id: number
      readonly url: string
      /** Value of the header Origin; undefined where browsers send none. */
      readonly origin: string | undefined
    }
  /** The browser does not start. */
  | { readonly type: 'failed'; readonly message: string }
