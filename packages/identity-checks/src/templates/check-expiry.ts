import type { CheckResult } from '../check.ts'
import { checkExpiry } from '../mrz/check-mrz.ts'
import type { TemplateFields } from './check-template.ts'

/**
 * Checks whether a document that a template read is valid today. One that has expired leads to a warning only, because no check
 * digit covers its date: a final decision must not follow from it.
 */
export function checkTemplateExpiry(
  { expires, expiry_date: printed }: TemplateFields,
  today: string,
): CheckResult {
  const result = checkExpiry({ expiryDate: printed ?? null }, today)
  if (!expires) return { ...result, outcome: 'passed', code: 'never_expires', score: 1, model: MODEL }
  return { ...result, outcome: result.outcome === 'failed' ? 'warning' : result.outcome, model: MODEL }
}

const MODEL = 'template/1'
