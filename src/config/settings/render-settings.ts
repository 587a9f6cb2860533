import * as v from 'valibot'
import { fileName } from '../file-name-schemas.ts'
import { duration } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { flag, oneOf } from '../value-schemas.ts'

const RENDER_MODES = ['never', 'auto', 'always'] as const

/** Settings of pages that need a browser. */
export const renderSettings = {
  render: setting(
    {
      trust: 'any',
      decides: 'urls',
      flag: '--render <mode>',
      otherNames: ['--javascript', '--js', '--headless'],
      worker: true,
      help: 'load pages in a browser and run their scripts; auto finds the pages that need it',
    },
    v.optional(oneOf(RENDER_MODES), 'never'),
  ),
  interact: setting(
    {
      trust: 'any',
      decides: 'urls',
      flag: '--interact',
      help: 'scroll rendered pages and click their buttons, except those that submit, delete or log out',
    },
    flag(),
  ),
  browser: setting(
    {
      trust: 'given',
      decides: 'run',
      flag: '--browser <path>',
      defaultText: 'an installed Chromium, Chrome or Edge',
      help: 'the browser for --render, such as /usr/bin/chromium',
    },
    v.optional(fileName('a program')),
  ),
  renderTimeout: setting(
    {
      trust: 'any',
      decides: 'run',
      flag: '--render-timeout <duration>',
      help: 'time limit for the scripts of a page, not counting the loading of resources',
    },
    v.optional(duration(1), '10s'),
  ),
}
