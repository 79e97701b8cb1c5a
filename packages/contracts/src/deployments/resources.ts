import { z } from 'zod'
import { livemodeSchema } from '../shared/checks.ts'
import { deploymentIdSchema } from '../shared/ids.ts'
import { jsonObjectSchema } from '../shared/json.ts'
import { SYNTHESIS_MODELS } from '../synthesis/resources.ts'

export const deploySchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be a DNS label'),
    base_model: z.enum(SYNTHESIS_MODELS),
    target: z.enum(['docker', 'kubernetes']),
    replicas: z.int().min(1).max(100).default(1),
    options: jsonObjectSchema.default({}),
  })
  .meta({ id: 'DeployRequest', examples: [{ name: 'speech', base_model: 'synth-v1', target: 'docker' }] })

export const deploymentSchema = z
  .object({
    deployment_id: deploymentIdSchema,
    status: z.enum(['ready', 'revoked']),
    license: z.string().meta({
      description: 'Ed25519 JWT with expiry, models and seats; use it as the Bearer token on premise.',
    }),
    livemode: livemodeSchema,
    manifest: z.string().meta({ description: 'Compose file or Kubernetes manifest that runs the server.' }),
  })
  .meta({ id: 'Deployment' })
