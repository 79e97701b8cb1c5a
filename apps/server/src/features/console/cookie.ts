import type { FastifyReply, FastifyRequest } from 'fastify'
import { LONGEST_SESSION_MS } from './session-store.ts'

/** Path of everything that belongs to the console. The cookie is sent nowhere else. */
export const CONSOLE_PATH = '/console'

const NAME = 'vaani_console'
const PATTERN = new RegExp(`(?:^|;)\\s*${NAME}=([\\w-]{43})(?:;|$)`)

/** Reads the secret of the session; null without a cookie. */
export const readCookie = ({ headers }: FastifyRequest): string | null =>
  PATTERN.exec(headers.cookie ?? '')?.[1] ?? null

/** Gives the browser the secret of a session, or takes it away. */
export function setCookie(request: FastifyRequest, reply: FastifyReply, secret: string | null): void {
  const parts = [
    `${NAME}=${secret ?? ''}`,
    `Path=${CONSOLE_PATH}`,
    `Max-Age=${secret === null ? 0 : LONGEST_SESSION_MS / 1000}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(request.protocol === 'https' ? ['Secure'] : []),
  ]
  reply.header('set-cookie', parts.join('; '))
}
