import { contract } from '@vaani/contracts'
import { defineFeature, handle } from '@vaani/service-kit/service/define-feature'
import type { Services } from '@vaani/service-kit/service/services'
import type { Events } from '@vaani/service-kit/telemetry/events'
import { ofAccount, ofServer } from './choose-owner.ts'
import type { DoNotCallContext } from './context.ts'
import { createDoNotCallPort } from './create-port.ts'
import { DO_NOT_CALL_EVENTS, type DoNotCallEvent } from './events.ts'
import { declareDoNotCallMetrics, type DoNotCallMetrics } from './metrics.ts'
import * as doNotCall from './migrations/0050-do-not-call.ts'
import { addListedNumber } from './routes/add.ts'
import { exportListedNumbers } from './routes/export-csv.ts'
import { importListedNumbers } from './routes/import-csv.ts'
import { listListedNumbers } from './routes/list.ts'
import { removeListedNumber } from './routes/remove.ts'
import { createListedNumberStore } from './store.ts'

type Needs = Pick<Services, 'clock' | 'database' | 'makeId'> & {
  events: Events<DoNotCallEvent>
  metrics: DoNotCallMetrics
}

/** Numbers that are never called. */
export const doNotCallFeature = defineFeature({
  name: 'doNotCall',
  contract: { doNotCall: contract.doNotCall },
  migrations: { '0050-do-not-call': doNotCall },
  events: DO_NOT_CALL_EVENTS,
  metrics: declareDoNotCallMetrics,
  async start({ database, clock, makeId, events, metrics }: Needs) {
    const store = createListedNumberStore(database)
    const context: DoNotCallContext = { store, clock, database, makeId, events }
    return {
      mounts: [
        handle(contract.doNotCall, {
          add: addListedNumber(context, ofAccount),
          list: listListedNumbers(context, ofAccount),
          remove: removeListedNumber(context, ofAccount),
          importCsv: importListedNumbers(context, ofAccount),
          exportCsv: exportListedNumbers(context, ofAccount),
          addForAll: addListedNumber(context, ofServer),
          listForAll: listListedNumbers(context, ofServer),
          removeForAll: removeListedNumber(context, ofServer),
          importCsvForAll: importListedNumbers(context, ofServer),
          exportCsvForAll: exportListedNumbers(context, ofServer),
        }),
      ],
      port: createDoNotCallPort(metrics),
    }
  },
})
