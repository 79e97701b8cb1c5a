import type { MigrationReport } from '@vaani/contracts/migration'
import { html } from './html.ts'
import { conditionsSection } from './sections/conditions.ts'
import { decisionsSection } from './sections/decisions.ts'
import { historySection } from './sections/history.ts'
import { latenciesSection } from './sections/latencies.ts'
import { openMismatchesSection } from './sections/open-mismatches.ts'
import { outcomesSection } from './sections/outcomes.ts'
import { ratesSection } from './sections/rates.ts'
import { stagesSection } from './sections/stages.ts'
import { stateSection } from './sections/state.ts'
import { REPORT_POLICY, styleElement } from './style.ts'
import { STAGE_WORDS } from './words.ts'

const SECTIONS = [
  stateSection,
  conditionsSection,
  openMismatchesSection,
  stagesSection,
  ratesSection,
  decisionsSection,
  latenciesSection,
  outcomesSection,
  historySection,
]

/** Renders the report as one HTML file. */
export const renderReport = (report: MigrationReport): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="${REPORT_POLICY}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>Migration from v1 to v2: ${STAGE_WORDS[report.migration.stage]}</title>
        ${styleElement}
      </head>
      <body>
        <header><h1>Migration from v1 to v2</h1></header>
        <main id="report">${SECTIONS.map((section) => section(report))}</main>
      </body>
    </html> `.text
