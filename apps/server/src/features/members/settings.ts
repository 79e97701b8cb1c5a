import { ConfigError, defineSettings } from '@vaani/service-kit/settings/define-settings'
import { optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'

/** Where members can sign in beside the console. */
export interface OidcSettings {
  issuer: URL
  clientId: string
  clientSecret: string
}

export interface MemberSettings {
  oidc: OidcSettings | null
}

const isSafe = (text: string): boolean => {
  const { protocol, hostname } = new URL(text)
  return (
    protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

export const memberSettings = defineSettings(
  {
    VAANI_OIDC_ISSUER: optional(
      z.url().refine((text) => URL.canParse(text) && isSafe(text), 'must begin with https://'),
    ),
    VAANI_OIDC_CLIENT_ID: optional(z.string().min(1)),
    VAANI_OIDC_CLIENT_SECRET: optional(z.string().min(1)),
  },
  ({
    VAANI_OIDC_ISSUER: issuer,
    VAANI_OIDC_CLIENT_ID: clientId,
    VAANI_OIDC_CLIENT_SECRET: clientSecret,
  }): MemberSettings => {
    if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined)
      return { oidc: { issuer: new URL(issuer), clientId, clientSecret } }
    if ((issuer ?? clientId ?? clientSecret) === undefined) return { oidc: null }
    throw new ConfigError(
      'VAANI_OIDC_ISSUER, VAANI_OIDC_CLIENT_ID and VAANI_OIDC_CLIENT_SECRET must be set together',
    )
  },
)
