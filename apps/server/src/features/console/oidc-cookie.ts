import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { OidcAttempt } from '../members/port.ts'
import { CONSOLE_PATH } from './cookie.ts'

/** Path of what takes part in signing in at a provider. The cookie is sent nowhere else. */
export const OIDC_PATH = `${CONSOLE_PATH}/oidc`

const NAME = 'vaani_console_oidc'
const PATTERN = new RegExp(`(?:^|;)\\s*${NAME}=([\\w-]{1,4000})(?:;|$)`)
const SECONDS = 5 * 60

const attemptSchema = z.strictObject({
  secret: z.string(),
  redirectUri: z.url(),
  invitation: z.string().optional(),
})

/** Gives the browser its attempt, or takes it away. The browser comes back from another site, so the cookie can't be strict. */
export function setAttempt(request: FastifyRequest, reply: FastifyReply, attempt: OidcAttempt | null): void {
  const value = attempt === null ? '' : Buffer.from(JSON.stringify(attempt)).toString('base64url')
  const parts = [
    `${NAME}=${value}`,
    `Path=${OIDC_PATH}`,
    `Max-Age=${attempt === null ? 0 : SECONDS}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ]
  reply.header('set-cookie', parts.join('; '))
}

/** Reads the attempt of the browser; null without one. */
export function readAttempt({ headers }: FastifyRequest): OidcAttempt | null {
  const value = PATTERN.exec(headers.cookie ?? '')?.[1]
  if (value === undefined) return null
  try {
    return attemptSchema.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  } catch {
    return null
  }
}
