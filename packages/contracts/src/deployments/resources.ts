import { z } from 'zod'
import { livemodeSchema, timeSchema } from '../shared/checks.ts'
import { idSchema } from '../shared/ids.ts'
import { LIMITS } from '../shared/limits.ts'
import { SYNTHESIS_MODELS } from '../synthesis/resources.ts'

export const deploymentIdSchema = idSchema('deployment')

const DEFAULT_LICENSE_DAYS = 365

// Plain characters, because a license has to fit into a header.
const modelNameSchema = z
  .string()
  .max(LIMITS.licenseModelCharacters)
  .regex(/^[\w.:/@+-]+$/, 'must be a name of letters, digits and _.:/@+-')
const replicasSchema = z.int().min(1).max(LIMITS.deploymentReplicas)

export const DEPLOYMENT_TARGETS = ['docker', 'kubernetes'] as const
export type DeploymentTarget = (typeof DEPLOYMENT_TARGETS)[number]

const deploymentNameSchema = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'must be a DNS label of at most 40 characters')
  .meta({ description: 'Name of the deployment, and of everything in its manifest.' })

export const deploySchema = z
  .strictObject({
    name: deploymentNameSchema,
    base_model: z
      .enum(SYNTHESIS_MODELS)
      .meta({ description: 'Model that the license includes in any case.' }),
    target: z.enum(DEPLOYMENT_TARGETS),
    replicas: replicasSchema.default(1).meta({ description: 'Servers that the manifest starts.' }),
    options: z
      .strictObject({
        expires_in_days: z
          .int()
          .min(1)
          .max(LIMITS.licenseDays)
          .default(DEFAULT_LICENSE_DAYS)
          .meta({ description: 'Days until the license expires.' }),
        seats: z.int().min(1).max(LIMITS.licenseSeats).optional().meta({
          description: 'Servers that may answer requests at a time; by default as many as `replicas`.',
        }),
        models: z
          .array(modelNameSchema)
          .max(LIMITS.licenseModels)
          .default([])
          .meta({ description: 'Models that the license includes besides `base_model`.' }),
      })
      .prefault({}),
  })
  .meta({
    id: 'DeployRequest',
    examples: [
      {
        name: 'speech',
        base_model: 'synth-v1',
        target: 'docker',
        options: { expires_in_days: 90, models: ['stream-tts'] },
      },
    ],
  })

export const deploymentSchema = z
  .object({
    deployment_id: deploymentIdSchema,
    status: z.enum(['ready', 'revoked']),
    livemode: livemodeSchema,
    name: z.string(),
    base_model: z.enum(SYNTHESIS_MODELS),
    target: z.enum(DEPLOYMENT_TARGETS),
    replicas: z.int().min(1),
    models: z.array(z.string()).meta({ description: 'Every model that the license includes.' }),
    seats: z.int().min(1).meta({ description: 'Servers that may answer requests at a time.' }),
    created_at: timeSchema,
    expires_at: timeSchema,
    revoked_at: timeSchema.nullable(),
  })
  .meta({ id: 'Deployment', description: 'A deployment without its license.' })
export type DeploymentResource = z.output<typeof deploymentSchema>

export const createdDeploymentSchema = deploymentSchema
  .extend({
    license: z.string().meta({
      description: 'Ed25519 JWT with expiry, models and seats; use it as the Bearer token on premise.',
    }),
    manifest: z.string().meta({
      description: 'Compose file or Kubernetes manifest that runs the server. It contains the license.',
    }),
  })
  .meta({ id: 'CreatedDeployment' })

/** What a server on premise needs to check licenses: nothing in it is secret. */
export const licenseIssuerSchema = z
  .object({
    data: z.array(
      z.object({
        public_key: z.string().meta({
          description: 'Ed25519 public key in base64url, for `VAANI_LICENSE_ISSUER_KEY`.',
        }),
        revocations: z.string().meta({
          description: 'JWS under this key of the revoked licenses that have not expired.',
        }),
      }),
    ),
  })
  .meta({ id: 'LicenseIssuer', description: 'The keys that sign licenses, the current one first.' })
