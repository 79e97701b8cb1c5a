import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { MigrationContext } from './context.ts'
import { mountLivePage, reportPage } from './page/mount-page.ts'
import { makeReport } from './make-report.ts'
import { migrationRoutes } from './routes.ts'
import { acknowledgePair } from './routes/acknowledge-pair.ts'
import { changeStage } from './routes/change-stage.ts'
import { checkMigration } from './routes/check.ts'
import { listChanges } from './routes/list-changes.ts'
import { listPairs } from './routes/list-pairs.ts'
import { restartEvidence } from './routes/restart-evidence.ts'
import { retrieveMigration } from './routes/retrieve.ts'
import { retrievePair } from './routes/retrieve-pair.ts'
import { retrieveReport } from './routes/report.ts'
import { rollBack } from './routes/roll-back.ts'
import { setKillSwitch } from './routes/set-kill-switch.ts'

/** Administration of the migration. */
export const migrationFeature = defineFeature({
  name: 'migration',
  contract: { migration: migrationRoutes },
  async start(context: MigrationContext) {
    return {
      mounts: [
        handle(migrationRoutes, {
          retrieve: retrieveMigration(context),
          check: checkMigration(context),
          changeStage: changeStage(context),
          rollBack: rollBack(context),
          setKillSwitch: setKillSwitch(context),
          restartEvidence: restartEvidence(context),
          listChanges: listChanges(context),
          listPairs: listPairs(context),
          retrievePair: retrievePair(context),
          acknowledgePair: acknowledgePair(context),
          report: retrieveReport(context),
          reportPage: reportPage(() => makeReport(context)),
        }),
        mountLivePage,
      ],
      port: undefined,
    }
  },
})
