import { defersSeenCheck } from '../../config/defers-seen-check.ts'
import { needsExchanges, needsOutlinks } from '../../formats/choose-format.ts'
import { randomWords } from '../../hashing/random-words.ts'
import type { CrawlLogin } from '../../login/crawl-login.ts'
import type { WorkerSetup } from '../../messages/worker-setup.ts'
import type { BodyFolder } from '../../records/incoming-file.ts'
import type { LinkGraph } from '../../records/visit-attachments.ts'
import { savesMemory } from '../../runtime/v8-memory-flags.ts'
import type { ConnectionSetup } from './connection-setup.ts'
import type { FittedConfig } from './fitted-config.ts'
import type { SharedMemory } from './shared-memory.ts'

export interface WorkerSetupParts {
  readonly config: FittedConfig
  readonly memory: SharedMemory
  readonly scope: { readonly setup: Pick<WorkerSetup, 'scope' | 'widened' | 'headerOrigins'> }
  readonly seeds: { readonly setup: Pick<WorkerSetup, 'authorizations' | 'seedHosts'> }
  readonly connection: ConnectionSetup
  readonly cookies: { readonly lines: readonly string[] } | undefined
  /** Set with `--login`. */
  readonly login: Pick<CrawlLogin, 'form' | 'pages'> | undefined
  /** Set if the log reports why URLs are skipped. */
  readonly decisions: object | undefined
  readonly linkGraph: LinkGraph | undefined
  readonly bodies: BodyFolder | undefined
  /** Set for a crawl that is kept: its bodies get digests, to be compared later. */
  readonly directory: object | undefined
}

/** Returns the setup of a worker that starts now, without its numbers and its claim log. */
export function buildWorkerSetup({
  bodies,
  config,
  connection,
  cookies,
  decisions,
  directory,
  linkGraph,
  login,
  memory,
  scope,
  seeds,
}: WorkerSetupParts): Omit<WorkerSetup, 'worker' | 'owner' | 'claims'> {
  // Each worker gets a copy of the settings, and there may be a million seeds. Workers find them in shared memory.
  const { seeds: _, ...settings } = config
  return {
    ...settings,
    ...memory.shared,
    ...scope.setup,
    ...seeds.setup,
    ...connection,
    headerOrigins: isAnonymous(connection) ? [] : scope.setup.headerOrigins,
    cookies: cookies?.lines,
    loginUrl: login?.form.url,
    loginPages: login?.pages.urls,
    defersSeenCheck: defersSeenCheck(config),
    archives: needsExchanges(config),
    bodies,
    keepsOutlinks: needsOutlinks(config),
    linkGraph,
    listsSkipped: config.skipped !== undefined || decisions !== undefined,
    scannerKey: randomWords(4),
    digests: directory !== undefined || config.hash,
    savesMemory: savesMemory(config.workers),
  }
}

/** Returns true if the user has given neither headers nor a client certificate. */
function isAnonymous({ certificates, headers }: ConnectionSetup): boolean {
  return Object.keys(headers).length === 0 && certificates?.client === undefined
}
