import type { EngineSettings, Policy } from '@vaani/identity-checks'

/** What the identity feature offers to the other features. */
export interface IdentityPort {
  /** Built-in policies and those of the operator, by name. */
  policies: ReadonlyMap<string, Policy>
  /** What reads photographs, besides tesseract. */
  photos: Pick<EngineSettings, 'photoReader' | 'directory'>
}
