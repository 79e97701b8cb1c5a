import { migrationEventSchema } from '../migration/events.ts'
import { migrationGroup } from '../migration/group.ts'
import { migrationContract } from '../migration/routes.ts'
import { createOpenApiDocument } from './create-document.ts'
import type { JsonObject } from './schemas.ts'

/** Returns the document of the administration of a migration, as in `openapi-migration.json`. */
export const migrationDocument = (): JsonObject =>
  createOpenApiDocument(migrationContract, {
    title: 'Vaani migration worker',
    version: '1.0.0',
    about:
      'Moves live KYC traffic from v1 to v2 on evidence: stages, the advice of the evidence, pairs and the report.',
    groups: { migration: migrationGroup.description, webhooks: 'Alerts.' },
    webhooks: [{ name: 'alert', schema: migrationEventSchema, description: 'Alert of a migration' }],
  })
