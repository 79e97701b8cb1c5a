import type * as contracts from '@vaani/contracts'
import { expectTypeOf } from 'vitest'
import type { CallEvent, VerificationEvent, WebhookEvent } from './events.ts'

// The published types are generated from the OpenAPI document, so they need no zod. They must equal those of the schemas.
expectTypeOf<CallEvent['data']>().toEqualTypeOf<contracts.CallEvent['data']>()
expectTypeOf<CallEvent['type']>().toEqualTypeOf<contracts.CallEvent['type']>()
expectTypeOf<VerificationEvent['data']>().toEqualTypeOf<contracts.VerificationEvent['data']>()
expectTypeOf<VerificationEvent['type']>().toEqualTypeOf<contracts.VerificationEvent['type']>()
expectTypeOf<keyof CallEvent>().toEqualTypeOf<keyof contracts.CallEvent>()
expectTypeOf<keyof VerificationEvent>().toEqualTypeOf<keyof contracts.VerificationEvent>()

expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<contracts.WebhookEventType>()
