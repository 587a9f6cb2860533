import { expect, it } from 'vitest'
import { hasBadPort } from '../../src/url/bad-port.ts'

it.each([
  'http://h:25/',
  'https://h:22',
  'http://[::1]:6667/a',
  'http://h:10080/?x',
  'http://h:0/',
])('%s has a port that browsers refuse', (url) => expect(hasBadPort(url)).toBe(true))

it.each([
  'http://h/',
  'https://h',
  'http://h:8080/',
  'http://[::25]/',
  'http://h/:25/',
  'http://h/?u=x:25/',
])('%s has no port that browsers refuse', (url) => expect(hasBadPort(url)).toBe(false))
