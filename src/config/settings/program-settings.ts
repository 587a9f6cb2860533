import * as v from 'valibot'
import { listenAddress } from '../listen-address.ts'
import { duration } from '../quantity-schemas.ts'
import { setting } from '../setting.ts'
import { flag, oneOf } from '../value-schemas.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const run = { trust: 'any', decides: 'run' } as const

/** Settings of logs, metrics and progress. */
export const programSettings = {
  logLevel: setting(
    { ...run, flag: '--log-level <name>', help: 'least important log line to show' },
    v.optional(oneOf(LOG_LEVELS), 'info'),
  ),
  logInterval: setting(
    { ...run, flag: '--log-interval <duration>', help: 'time between two progress lines' },
    v.optional(duration(10), '5s'),
  ),
  logFormat: setting(
    {
      ...run,
      flag: '--log-format <name>',
      defaultText: 'text at a terminal, else json',
      help: 'format of the log on stderr; with json, errors are also JSON lines, with the exit code',
    },
    v.optional(oneOf(['text', 'json'] as const)),
  ),
  color: setting(
    {
      ...run,
      flag: '--color <when>',
      otherNames: ['--no-color', '--no-colour', '--colour'],
      help: 'color the output; auto does so at a terminal, and obeys NO_COLOR and FORCE_COLOR',
    },
    v.optional(oneOf(['auto', 'always', 'never'] as const), 'auto'),
  ),
  metrics: setting(
    {
      ...run,
      flag: '--metrics <port>',
      help: 'serve Prometheus metrics on this port of 127.0.0.1, or on another address, such as 0.0.0.0:9464',
    },
    v.optional(listenAddress()),
  ),
  progress: setting(
    {
      ...run,
      flag: '--no-progress',
      flagHelp: 'turn off the live view at a terminal',
      help: 'show the crawl as it goes, at a terminal',
    },
    flag(true),
  ),
}
