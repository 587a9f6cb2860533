/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>
