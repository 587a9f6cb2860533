import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { serve } from '../../support/serve.ts'
import { digestValues, isDigestValid } from '../../support/verify-digest.ts'
import { ENOUGH, openTestFetcher } from '../open-test-fetcher.ts'

const AUTHORIZATION = `Basic ${Buffer.from('me:päss').toString('base64')}`
const PASSWORD = Buffer.from('päss').toString('latin1')

/** Serves a site that accepts `uses` answers to each of its nonces. */
async function digestSite({ uses = 100, saysStale = true, password = PASSWORD } = {}) {
  const usesLeft: number[] = []
  const site = await serve(async ({ method = '', headers, url }, response) => {
    const { authorization } = headers
    const { nonce, uri } = digestValues(authorization)
    if (url?.startsWith('/slow')) await setTimeout(50)
    if (url === '/public') {
      response.end('for all')
      return
    }
    if (url?.startsWith('/basic') === true) {
      const isRight = authorization === AUTHORIZATION
      response.writeHead(isRight ? 200 : 401, { 'WWW-Authenticate': 'Basic realm="others"' }).end()
      return
    }
    const isRight = isDigestValid(authorization, { method, password }) && uri === url
    const left = usesLeft[Number(nonce)] ?? 0
    if (isRight && left > 0) {
      usesLeft[Number(nonce)] = left - 1
      response.end('members')
      return
    }
    const stale = isRight && saysStale ? ', stale=true' : ''
    const challenge = `Digest realm="members", nonce="${usesLeft.length}", qop="auth"${stale}`
    usesLeft.push(uses)
    response.writeHead(401, { 'WWW-Authenticate': ['Negotiate', challenge] }).end('no')
  })
  const fetcher = openTestFetcher({ authorizations: { [site.url]: AUTHORIZATION } })
  const get = (path: string) => fetcher.get({ url: `${site.url}${path}`, maxBody: ENOUGH })
  return { site, fetcher, get }
}

it('a challenged request is sent once more, and later ones are answered at once', async () => {
  const { site, fetcher, get } = await digestSite()
  const url = `${site.url}/c`
  const responses = [await get('/a?b=c'), await get('/b')]
  responses.push(await fetcher.head({ url }))
  responses.push(await fetcher.get({ url, maxBody: ENOUGH, form: { body: 'x=1', from: url } }))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(site.requests.map(({ headers }) => headers.authorization?.split(' ')[0])).toEqual([
    ...['Basic', 'Digest', 'Digest', 'Digest', 'Digest'],
  ])
})

it.each([100, 1])(
  'many requests at a time are all answered, with %i uses of a nonce',
  async (uses) => {
    const { get } = await digestSite({ uses })
    const responses = await Promise.all(Array.from({ length: 20 }, (_, page) => get(`/${page}`)))
    expect(responses.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  },
)

it('requests that begin while others renew their challenge leave them theirs', async () => {
  const { site, get } = await digestSite({ uses: 1 })
  await get('/slow-1')
  const renewing = get('/slow-2')
  while (site.requests.length < 4) await setTimeout(1)
  expect((await get('/3')).status).toBe(200)
  expect((await renewing).status).toBe(200)
})

it.each([
  [2, true, 8],
  [2, false, 8],
  [1, true, 10],
  [1, false, 10],
])(
  'an answer to an old challenge is renewed, with %i uses of a nonce and stale=%s of the server',
  async (uses, saysStale, requests) => {
    const { site, get } = await digestSite({ uses, saysStale })
    for (const path of ['/1', '/2', '/3', '/4', '/5']) expect((await get(path)).status).toBe(200)
    expect(site.requests).toHaveLength(requests)
  },
)

it('a part of the site that wants HTTP Basic gets it', async () => {
  const { site, get } = await digestSite()
  for (const path of ['/1', '/basic', '/2']) expect((await get(path)).status).toBe(200)
  expect(site.requests.map(({ headers }) => headers.authorization?.split(' ')[0])).toEqual([
    ...['Basic', 'Digest', 'Digest', 'Basic', 'Basic', 'Digest'],
  ])
})

it('a wrong password is sent twice for the first page, and once for others, also after a public page', async () => {
  const { site, get } = await digestSite({ password: 'other' })
  const statuses: number[] = []
  for (const path of ['/1', '/2', '/public', '/3']) statuses.push((await get(path)).status)
  expect(statuses).toEqual([401, 401, 200, 401])
  expect(site.requests).toHaveLength(5)
})

it('a request of a page to another site is not answered', async () => {
  const { site, fetcher } = await digestSite()
  const request = { url: `${site.url}/`, maxBody: ENOUGH, isCrossSite: true }
  expect((await fetcher.get(request)).status).toBe(401)
  expect(site.requests.map(({ headers }) => headers.authorization)).toEqual([undefined])
})
