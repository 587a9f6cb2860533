import { describe, expect, it } from 'vitest'
import { productToken } from '../../src/robots/product-token.ts'

describe('productToken', () => {
  it.each([
    ['orbweaver/1.0 (+https://example.com/bot)', 'orbweaver'],
    ['Example_Bot-News', 'Example_Bot-News'],
    ['news2bot/1.0', 'news'],
    ['Mozilla/5.0 (compatible; ExampleBot/0.1; https://example.com/bot.html)', 'ExampleBot'],
    ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla'],
    ['42', ''],
    ['', ''],
  ])('returns the name in %j', (userAgent, token) => {
    expect(productToken(userAgent)).toBe(token)
  })
})
