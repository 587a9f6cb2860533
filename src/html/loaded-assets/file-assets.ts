import type { LoadingFile } from '../../fetch/content-type.ts'
import { AssetList, type LoadedAsset } from './asset-list.ts'
import { manifestImages } from './json-urls.ts'

/** Returns the URLs that a file loads, each once. Never throws. */
export function assetsOfFile(kind: LoadingFile, text: string): LoadedAsset[] {
  const found = new AssetList()
  if (kind === 'style-sheet') found.addCss(text)
  else if (kind === 'script') found.addScript(text)
  else for (const url of manifestImages(text)) found.add({ url, isImage: true })
  return found.assets
}
