import type { MigrationVerdict } from '@vaani/client'
import { sentences } from '../../text/text.ts'

/** Why the evidence advises what it does. */
export const Because = ({ of: verdict, className }: { of: MigrationVerdict; className?: string }) => (
  <p className={className}>{sentences === null ? verdict.because : sentences.because(verdict)}</p>
)
