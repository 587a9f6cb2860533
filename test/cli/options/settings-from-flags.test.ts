import { describe, expect, it } from 'vitest'
import { settingsFromFlags } from '../../../src/cli/options/settings-from-flags.ts'
import { UNLIMITED_DEPTH } from '../../../src/config/settings/crawl-settings.ts'

describe('--depth', () => {
  it('accepts a number or the word unlimited', () => {
    expect(settingsFromFlags({ depth: '12' })).toEqual({ depth: 12 })
    expect(settingsFromFlags({ depth: 'unlimited' })).toEqual({ depth: UNLIMITED_DEPTH })
  })

  it.each(['endless', 'constructor', ''])('leaves %j to the validation by the schema', (depth) => {
    expect(settingsFromFlags({ depth })).toEqual({ depth })
  })
})
