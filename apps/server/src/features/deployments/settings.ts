import type { KeyObject } from 'node:crypto'
import { MAX_LICENSE_LENGTH } from '@vaani/service-kit/http/authorize'
import { ConfigError, defineSettings } from '@vaani/service-kit/settings/define-settings'
import { httpUrl, list, optional } from '@vaani/service-kit/settings/variables'
import { z } from 'zod'
import { readPublicKey } from './read-tokens.ts'

/** License of this server, with the keys of which one must have signed it. */
export interface LicenseSettings {
  license: string
  issuerKeys: readonly KeyObject[]
}

export interface DeploymentSettings {
  /** Null unless this server runs under a license. */
  license: LicenseSettings | null
  /** `/enterprise/issuer` of the issuing server: read by a server under a license, and named in manifests by the issuing one. */
  revocationsUrl: string | undefined
  /** Image that manifests start. */
  deployImage: string
}

/** Built from the server's Dockerfile. A registry that does not exist, so that no image of others is ever pulled. */
const DEFAULT_IMAGE = 'localhost/vaani-server:latest'
const MAX_ISSUER_KEYS = 10

const publicKeys = z
  .string()
  .transform(list)
  .pipe(z.array(z.string()).min(1).max(MAX_ISSUER_KEYS))
  .transform((keys, context) => {
    try {
      return keys.map(readPublicKey)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be Ed25519 public keys in base64url' })
      return z.NEVER
    }
  })

export const deploymentSettings = defineSettings(
  {
    VAANI_LICENSE: optional(
      z
        .string()
        .max(MAX_LICENSE_LENGTH)
        .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'must be a license: a JWT'),
    ),
    VAANI_LICENSE_ISSUER_KEY: optional(publicKeys),
    VAANI_LICENSE_REVOCATIONS_URL: optional(httpUrl.max(2000)),
    VAANI_DEPLOY_IMAGE: optional(
      z
        .string()
        .max(300)
        .regex(/^[a-z0-9][\w.:/@-]*$/i, 'must be the name of an image'),
    ),
  },
  (values): DeploymentSettings => ({
    license: pair(values.VAANI_LICENSE, values.VAANI_LICENSE_ISSUER_KEY),
    revocationsUrl: values.VAANI_LICENSE_REVOCATIONS_URL,
    deployImage: values.VAANI_DEPLOY_IMAGE ?? DEFAULT_IMAGE,
  }),
)

function pair(license: string | undefined, issuerKeys: KeyObject[] | undefined): LicenseSettings | null {
  if (license === undefined && issuerKeys === undefined) return null
  if (license === undefined) throw new ConfigError('VAANI_LICENSE_ISSUER_KEY requires VAANI_LICENSE')
  if (issuerKeys === undefined) throw new ConfigError('VAANI_LICENSE requires VAANI_LICENSE_ISSUER_KEY')
  return { license, issuerKeys }
}
