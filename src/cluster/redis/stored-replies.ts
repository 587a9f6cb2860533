import {
  absentOr,
  count,
  type Form,
  figure,
  flag,
  httpUrl,
  listOfLua,
  made,
  mapOf,
  oneOf,
  pair,
  record,
  type Stored,
  storedJson,
  text,
  unknown,
  wholeNumber,
} from '../../database/stored-value.ts'
import { CrawlerError, DamageError } from '../../errors.ts'

/** Forms of all that is read back of a job: anybody with a password for Redis may have written it. */

/** How a job stands. A paused one hands nothing out; a stopped one lets its agents go. */
const JOB_STATES = ['running', 'paused', 'stopped', 'finished'] as const
export type JobState = (typeof JOB_STATES)[number]

const MAX_PARTITIONS = 1_024

export const stateForm = oneOf(JOB_STATES, 'a state of a job')

const whatIsShown = {
  state: stateForm,
  partitions: made(isPartitions, 'a number of partitions'),
  created: text,
}

export const shownJobForm = record(whatIsShown)
export const jobForm = record({ ...whatIsShown, settings: text, secret: text })

export const settingsForm = mapOf(unknown)
export const secretForm = pair(wholeNumber, wholeNumber)

/** What an agent tells of itself. */
export const doingForm = record({ visits: count, bytes: count })

export const beatForm = record({
  state: stateForm,
  agents: count,
  hungry: count,
  widened: listOfLua(httpUrl),
  found: listOfLua(made(isFinding, 'what was found of a host')),
  now: text,
})

export const viewsForm = listOfLua(
  record({ added: count, free: count, active: count, open: listOfLua(pair(count, count)) }),
)

export const exchangeForm = record({
  lost: listOfLua(text),
  hosts: listOfLua(
    record({
      host: text,
      epoch: text,
      urls: listOfLua(pair(text, text)),
      left: flag,
      wait: absentOr(figure),
      past: absentOr(text),
      robots: absentOr(listOfLua(text)),
    }),
  ),
  known: count,
})

function isFinding(value: unknown): value is string {
  return typeof value === 'string' && /^(?:public|private) [^ ]+$/.test(value)
}

function isPartitions(value: unknown): value is string {
  return (
    typeof value === 'string' && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MAX_PARTITIONS
  )
}

/**
 * Returns what a script answered.
 * @throws DamageError
 */
export function parsedReply<F extends Form>(form: F, reply: unknown, place: string): Stored<F> {
  return storedJson(form, String(reply), place)
}

/** Says of an error that comes of what a job holds which job that is; others come back as they are. */
export function jobError(job: string, error: unknown): unknown {
  if (!(error instanceof DamageError)) return error
  const message = `job ${job}: is damaged in Redis: ${error.message}`
  return new CrawlerError('redis', message, { cause: error })
}
