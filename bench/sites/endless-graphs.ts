/** Graphs whose pages are computed from their number, so that a server needs no memory for them. */
export type Graph = (path: string) => string

const SMALL_STEPS = 2

/** `pages` pages with `links` links each: a binary tree, so that all are reached, and random others. */
export function randomGraph(pages: number, links = 30): Graph {
  return (path) => {
    const page = numberOf(path)
    let html = `<!DOCTYPE html><title>Page ${page}</title>\n`
    for (let place = 0; place < links; place++) {
      const child = page * SMALL_STEPS + 1 + place
      const inTree = place < SMALL_STEPS && child < pages
      html += item(inTree ? child : mixed(page, place) % pages)
    }
    return html
  }
}

/** Every page names `links` pages that no other names: a queue that grows as fast as it can. */
export function wideGraph(links = 1_000): Graph {
  return (path) => {
    const page = numberOf(path)
    let html = `<!DOCTYPE html><title>Page ${page}</title>\n`
    for (let place = 1; place <= links; place++) html += item(page * links + place)
    return html
  }
}

function numberOf(path: string): number {
  return Number(path.slice(path.lastIndexOf('/') + 1))
}

function item(page: number): string {
  return `<li><a href="/page/${page}">${page}</a>\n`
}

/** Scrambles the bits of two numbers: the finalizer of Austin Appleby's MurmurHash3. */
function mixed(page: number, place: number): number {
  let hash = Math.imul(page, 31) + place
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
