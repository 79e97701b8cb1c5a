export type EmbeddedPostgresErrorCode =
  | 'platform_not_supported'
  | 'directory_not_usable'
  | 'data_directory_version'
  | 'start_failed'
  | 'start_timed_out'
  | 'server_lost'

/** The embedded Postgres could not be started or was lost. Setting `DATABASE_URL` avoids it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly code: EmbeddedPostgresErrorCode

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
