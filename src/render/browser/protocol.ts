import type { Protocol } from 'devtools-protocol'
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js'

export type { Protocol }

type Commands = ProtocolMapping.Commands
export type CommandName = keyof Commands

/** The parameters of a command; undefined for one that takes none. */
export type ParamsOf<Name extends CommandName> = Commands[Name]['paramsType'][0]

/** The result of a command. */
export type ResultOf<Name extends CommandName> = Commands[Name]['returnType']

/** An event of the browser, or of the target of a session. */
export type BrowserEvent = {
  [Name in keyof ProtocolMapping.Events]: {
    readonly method: Name
    readonly params: ProtocolMapping.Events[Name][0]
    readonly sessionId?: string
  }
}[keyof ProtocolMapping.Events]
