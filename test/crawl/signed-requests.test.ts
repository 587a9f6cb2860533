import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { serve } from '../support/serve.ts'
import { useFolder } from '../support/state-run.ts'
import { isSignatureValid } from '../support/verify-signature.ts'
import { runAndLog } from './run-and-log.ts'

const path = useFolder()

it('all requests of a crawl with --signing-key are signed for their host', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const signingKey = path('key.pem')
  writeFileSync(signingKey, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  const elsewhere = await serve((_, response) => response.end('elsewhere'))
  const site = await serve(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/moved') return response.writeHead(302, { location: '/page' }).end()
    return response.end(`<a href="/moved">x</a><a href="${elsewhere.url}/">x</a><img src="/i.png">`)
  })
  await runAndLog({
    ...{ seeds: [site.url], assets: true, external: true, allowPrivate: true },
    ...{ signingKey, signatureAgent: 'https://bot.example' },
  })
  const requests = [...site.requests, ...elsewhere.requests]
  expect(requests.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    ...['GET /', 'GET /i.png', 'GET /moved', 'GET /page', 'GET /robots.txt', 'GET /robots.txt'],
    ...['HEAD /'],
  ])
  const key = createPublicKey(privateKey)
  for (const { host, headers } of requests) expect(isSignatureValid(host, headers, key)).toBe(true)
})
