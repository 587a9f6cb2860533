import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/fetch/http/http1/body-end.ts'
import { DEFAULT_KEPT_MS, keepAliveMs } from '../../../../src/fetch/http/http1/keep-alive.ts'

const msOf = (headers: Message['headers'], message: Partial<Message> = {}) =>
  keepAliveMs({ status: 200, isHead: false, isHttp10: false, headers, ...message }, 0)

describe('a connection', () => {
  it.each<[string, Message['headers'], number]>([
    ['no time', {}, DEFAULT_KEPT_MS],
    ['no number', { 'keep-alive': 'timeout, max=5' }, DEFAULT_KEPT_MS],
    ['a time', { 'keep-alive': 'timeout=5' }, 3_000],
    ['a time after others', { 'keep-alive': 'max=100, Timeout=4' }, 2_000],
    ['a time in a second header', { 'keep-alive': ['max=100', 'timeout=4'] }, 2_000],
    ['several times', { 'keep-alive': ['timeout=5, timeout=9', 'timeout=4'] }, 2_000],
    ['a long time', { 'keep-alive': 'timeout=99999999999' }, 5_000],
    ['a very short time', { 'keep-alive': 'timeout=2' }, 0],
    ['none', { 'keep-alive': 'timeout=0' }, 0],
    ['a parameter of another name', { 'keep-alive': 'mytimeout=0' }, DEFAULT_KEPT_MS],
  ])('is kept for less time than its server says: %s', (_, headers, ms) => {
    expect(msOf(headers)).toBe(ms)
  })

  it.each([
    [{ connection: 'close' }, false, false],
    [{ connection: 'Close' }, false, false],
    [{ connection: 'x, close' }, false, false],
    [{ connection: ['keep-alive', 'close'] }, false, false],
    [{ connection: 'closed' }, true, false],
    [{ 'proxy-connection': 'close' }, false, false],
    [{ connection: 'keep-alive' }, true, true],
    [{ 'proxy-connection': 'Keep-Alive' }, true, true],
    [{ connection: 'keep-alive, close' }, false, false],
    [{}, true, false],
  ])('with the header %j is kept as its HTTP version defines', (headers, http11, http10) => {
    expect(msOf(headers) > 0).toBe(http11)
    expect(msOf(headers, { isHttp10: true }) > 0).toBe(http10)
  })

  it('is not kept if an HTTP/1.0 message has a transfer coding', () => {
    const headers = { connection: 'keep-alive', 'transfer-encoding': 'chunked' }
    expect(msOf(headers)).toBeGreaterThan(0)
    expect(msOf(headers, { isHttp10: true })).toBe(0)
  })

  it('is not kept if a message has both a length and a transfer coding', () => {
    expect(msOf({ 'content-length': '5', 'transfer-encoding': 'chunked' })).toBe(0)
  })

  it('is not kept if its end marks the end of the body', () => {
    const message = { status: 200, isHead: false, isHttp10: false, headers: {} }
    expect(keepAliveMs(message, 'connection-end')).toBe(0)
    expect(keepAliveMs(message, 'last-chunk')).toBeGreaterThan(0)
    expect(keepAliveMs(message, 5)).toBeGreaterThan(0)
  })

  it.each([204, 304])('is not kept after a %i that may have a body nevertheless', (status) => {
    for (const length of ['5', '-1', 'many', ['5', '5']])
      expect(msOf({ 'content-length': length }, { status })).toBe(0)
    expect(msOf({ 'transfer-encoding': 'chunked' }, { status })).toBe(0)
    expect(msOf({ 'content-length': '0' }, { status })).toBeGreaterThan(0)
  })

  it('is not kept after a response to HEAD', () => {
    expect(msOf({ 'content-length': '5' }, { isHead: true })).toBe(0)
    expect(msOf({ connection: 'keep-alive' }, { isHead: true })).toBe(0)
  })
})
