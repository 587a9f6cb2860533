import { describe, expect, it } from 'vitest'
import { AlpnChoices } from '../../../src/fetch/http/alpn-choices.ts'

const A = 'https://a.test'
const FAILURE = new Error('broken')

function chosen(protocol: 'h2' | 'http/1.1'): AlpnChoices {
  const choices = new AlpnChoices()
  choices.remember(A, protocol)
  return choices
}

describe('remembered protocol choices of servers', () => {
  it('are returned', () => {
    const choices = chosen('h2')
    expect(choices.protocolOf(A)).toBe('h2')
    expect(choices.protocolOf('https://b.test')).toBeUndefined()
  })

  it('are dropped when a server refuses its earlier choice', () => {
    const choices = chosen('http/1.1')
    expect(choices.handleRefusal(A, 'http/1.1')).toMatchObject({
      code: 'connection-reset',
      isTransient: true,
    })
    expect(choices.protocolOf(A)).toBeUndefined()
  })

  it('change to HTTP/1.1 when HTTP/2 fails', () => {
    const choices = chosen('h2')
    choices.avoidHttp2(A, FAILURE)
    expect(choices.protocolOf(A)).toBe('http/1.1')
  })

  it('stay at HTTP/2, however often it fails, if the server refuses HTTP/1.1', () => {
    const choices = chosen('h2')
    choices.avoidHttp2(A, FAILURE)
    expect(choices.handleRefusal(A, 'http/1.1')).toBe(FAILURE)
    expect(choices.protocolOf(A)).toBe('h2')
    expect(choices.handleRefusal(A, 'http/1.1')).toBe(FAILURE)
    choices.avoidHttp2(A, FAILURE)
    expect(choices.protocolOf(A)).toBe('h2')
    choices.handleRefusal(A, 'h2')
    expect(choices.protocolOf(A)).toBeUndefined()
  })

  it('are stored for the latest 4,000 servers', () => {
    const choices = new AlpnChoices()
    for (let n = 0; n <= 4_000; n++) choices.remember(`https://${n}.test`, 'h2')
    expect(choices.protocolOf('https://0.test')).toBeUndefined()
    expect(choices.protocolOf('https://1.test')).toBe('h2')
    choices.remember('https://1.test', 'http/1.1')
    choices.remember(A, 'h2')
    expect(choices.protocolOf('https://2.test')).toBeUndefined()
    expect(choices.protocolOf('https://1.test')).toBe('http/1.1')
  })
})
