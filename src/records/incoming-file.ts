/** A folder into which several threads write files, before the files get their names. */
export interface IncomingFolder {
  readonly path: string
  /** True if the files have to survive a power cut. */
  readonly isDurable: boolean
}

/** The folder into which fetch workers write bodies. */
export interface BodyFolder extends IncomingFolder {
  /** Extensions of the files to save, in lower case; undefined for all files. */
  readonly extensions: readonly string[] | undefined
}

/** A file in an `IncomingFolder`, or the reason why it could not be written. */
export type IncomingFile = { readonly file: string } | { readonly failure: string }
