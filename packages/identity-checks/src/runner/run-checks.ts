import { randomUUID } from 'node:crypto'
import type { CheckResult } from '../check.ts'
import type { Engines } from '../load-engines.ts'
import type { PageReader } from '../ocr/page-reader.ts'
import { BUILT_IN_TEMPLATES } from '../templates/built-in.ts'
import type { Template } from '../templates/template.ts'
import { type CheckFiles, type Findings, NO_FINDINGS, type ReadDocument } from './job.ts'
import { KeptSides } from './kept-sides.ts'
import { runStep } from './run-step.ts'
import { STEP_NAMES } from './steps.ts'
import { toFields } from './to-fields.ts'

/**
 * Runs the checks of a verification in this thread, without limits, and reports each result as soon as it is available.
 * Use `createCheckRunner` for limits.
 */
export async function runChecks(options: {
  files: CheckFiles
  /** YYYY-MM-DD, for comparison with the expiry date. */
  today: string
  pageReader: PageReader
  templates?: readonly Template[]
  engines: Engines
  tell: (result: CheckResult) => void
}): Promise<ReadDocument> {
  const { files, today, pageReader, engines, templates = BUILT_IN_TEMPLATES, tell } = options
  const verification = randomUUID()
  const sides = new KeptSides()
  let findings: Findings = NO_FINDINGS
  for (const step of STEP_NAMES) {
    const output = await runStep(step, {
      verification,
      files,
      today,
      findings,
      engines: async () => engines,
      templates,
      pageReader: async () => pageReader,
      openSide: (file) => sides.open(verification, file),
    })
    findings = { ...findings, ...output.findings }
    for (const result of output.results) tell(result)
  }
  return { fields: toFields(findings), likeness: findings.likeness }
}
