import { parseHTML } from 'linkedom'
import type { MigrationReport } from '@vaani/contracts/migration'
import { expect, test } from 'vitest'
import { EMPTY_REPORT, EXAMPLE_REPORT } from '@vaani/migration-charts/example-report'
import { renderReport } from './render-report.ts'
import { REPORT_POLICY, sourceHash, STYLE } from './style.ts'

/** Every place of a report that holds text which is none of the contract's words. */
function withTexts(text: string): MigrationReport {
  const { migration, changes, open_mismatches } = EXAMPLE_REPORT
  const verdict = {
    ...migration.verdict,
    because: text,
    conditions: migration.verdict.conditions.map((condition) => ({ ...condition, label: text })),
  }
  const side = { verification_id: text, error_code: text, reason_codes: [text, text] }
  return {
    ...EXAMPLE_REPORT,
    migration: { ...migration, flag_source: text, changed_by: text, verdict },
    changes: changes.map((change) => ({ ...change, actor: text, reason: text, verdict })),
    open_mismatches: open_mismatches.map((pair) => ({
      ...pair,
      pair_id: text,
      v1: { ...pair.v1, ...side },
      v2: { ...pair.v2, ...side },
    })),
  }
}

const parse = (page: string) => parseHTML(page).document

/** Every element with its attributes, in order. */
const structureOf = (page: string): string[] =>
  [...parse(page).querySelectorAll('*')].map(
    (element) => `${element.tagName} ${element.getAttributeNames().join(' ')}`,
  )

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '</style></title></code><script>alert(1)</script>',
  ']]><!-- &lt;script&gt;',
].join(' ')

test('a hostile text is text wherever it comes in', () => {
  const page = renderReport(withTexts(HOSTILE))
  expect(structureOf(page)).toEqual(structureOf(renderReport(withTexts('harmless'))))
  const shown = [...parse(page).querySelectorAll('code')].filter((code) => code.textContent === HOSTILE)
  expect(shown).toHaveLength(3 * EXAMPLE_REPORT.open_mismatches.length)
})

const LARGE_REPORT: MigrationReport = {
  ...EXAMPLE_REPORT,
  changes: Array.from({ length: 200 }, (_, index) => ({
    // The last one of the example is the first change of all.
    ...(EXAMPLE_REPORT.changes[index % 4] ?? fail()),
    change_id: `chg_${index}`,
  })),
  hours: Array.from({ length: 90 * 24 }, (_, index) => ({
    ...(EXAMPLE_REPORT.hours[index % 200] ?? fail()),
    at: new Date(Date.parse(EXAMPLE_REPORT.generated_at) - (2160 - index) * 3_600_000).toISOString(),
  })),
  open_mismatches: Array.from({ length: 50 }, () => EXAMPLE_REPORT.open_mismatches[0] ?? fail()),
}

function fail(): never {
  throw new Error('The example is too short')
}

const REPORTS = {
  empty: renderReport(EMPTY_REPORT),
  example: renderReport(EXAMPLE_REPORT),
  large: renderReport(LARGE_REPORT),
}

test.for(Object.entries(REPORTS))('the %s report has no number that is none', ([, report]) => {
  expect(report).not.toMatch(/NaN|Infinity|undefined|\[object|>null</)
})

test.for(Object.entries(REPORTS))('the %s report loads and runs nothing', ([, report]) => {
  const page = parse(report)
  expect(page.querySelectorAll('script, link, img, iframe, object, form, a[href]')).toHaveLength(0)
  // The policy would block them.
  expect(page.querySelectorAll('[style], svg style')).toHaveLength(0)
  expect(page.querySelector('style')?.textContent).toBe(STYLE)
  const policy = page.querySelector('meta[http-equiv=content-security-policy]')?.getAttribute('content')
  expect(policy).toBe(REPORT_POLICY)
  expect(policy).toContain(sourceHash(STYLE))
})

test('a large report stays a file to send, because older hours are added up', () => {
  expect(REPORTS.large.length).toBeLessThan(600_000)
})

test('an empty report says what is missing', () => {
  const text = parse(REPORTS.empty).body.textContent
  expect(text).toContain('No pair has two decisions yet.')
  expect(text).toContain('Nothing was measured yet.')
  expect(text).toContain('Nothing was changed yet.')
})

test.for([
  [{ lower: 0.0044, upper: 0.015 }, 'v2 fails more often, by 0.44\u00A0% to 1.5\u00A0% of pairs.'],
  [{ lower: -0.015, upper: -0.0044 }, 'v2 fails less often, by 0.44\u00A0% to 1.5\u00A0% of pairs.'],
  [
    { lower: -0.0012, upper: 0.009 },
    'Neither is shown to fail more often: v2 by at most 0.9\u00A0% of pairs, v1 by at most 0.12\u00A0%.',
  ],
] as const)('says which version fails more often: %j', ([bounds, words]) => {
  const { migration } = EXAMPLE_REPORT
  const error_difference = { pairs: 5210, only_v1: 12, only_v2: 61, value: 0.0094, ...bounds }
  const verdict = { ...migration.verdict, error_difference }
  const page = renderReport({ ...EXAMPLE_REPORT, migration: { ...migration, verdict } })
  const text = parse(page)
    .querySelector('#rates')
    ?.textContent.replaceAll(/[ \n]+/g, ' ')
  expect(text).toContain(`Errors: v2 alone failed in 61 of 5,210 pairs, v1 alone in 12. ${words}`)
})

test('each chart has a name, and is drawn for a phone and for a wide screen', () => {
  const page = parse(REPORTS.example)
  const charts = [...page.querySelectorAll('[role=img]')]
  expect(charts).toHaveLength(12)
  for (const chart of charts) expect(chart.getAttribute('aria-label')).toMatch(/\.$/)
  const widths = charts.map((chart) => chart.querySelector('svg')?.getAttribute('width'))
  expect(new Set(widths)).toEqual(new Set(['340', '900']))
})

test('ids are unique, so that labels and open parts find theirs', () => {
  const ids = [...parse(REPORTS.large).querySelectorAll('[id]')].map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})

test('says so if the kill switch is engaged, and by what', () => {
  const kill_switch = { engaged: true, source: 'file' } as const
  const page = renderReport({ ...EXAMPLE_REPORT, migration: { ...EXAMPLE_REPORT.migration, kill_switch } })
  expect(parse(page).querySelector('.alarm')?.textContent).toContain('the file in the data directory')
})
