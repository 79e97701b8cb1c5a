import { setTimeout as delay } from 'node:timers/promises'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { endOf, type StopDeadline } from '../lifecycle/stop-deadline.ts'
import type { TraceSettings } from '../settings/trace-settings.ts'
import { createTracer } from './create-tracer.ts'
import type { Logger } from './log.ts'
import { createSampling } from './sampling.ts'
import { createSpanExporter } from './span-exporter.ts'
import type { Tracer } from './tracer.ts'

/** The name of what makes the spans. */
export const SCOPE = 'vaani'
/** A collector that hangs delays the end of the process by so much, within the deadline of the stop. */
const LAST_SPANS_MS = 2000

export interface Traces {
  readonly tracer: Tracer
  /** Sends the last spans. */
  stop(deadline: StopDeadline): Promise<void>
}

/**
 * Starts the library and has spans sent. This file is imported only if traces are on: without them no process loads the
 * library.
 */
export function startTraces({ settings, log }: { settings: TraceSettings; log: Logger }): Traces {
  let isArriving = true
  const exporter = createSpanExporter((hasArrived) => {
    if (hasArrived !== isArriving)
      log.warn(
        hasArrived ? 'The collector takes traces again' : 'The collector takes no traces; they are dropped',
      )
    isArriving = hasArrived
  })
  const { sampler, mayStart } = createSampling(settings)
  const provider = new TracerProvider({
    // Not what else the library could find out: the command line of a process may hold a secret.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SCOPE }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    sampler,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: settings.gatherMs,
        maxQueueSize: settings.maxWaiting,
        maxExportBatchSize: settings.maxAtOnce,
      }),
    ],
  })
  return {
    tracer: createTracer(provider.getTracer(SCOPE), mayStart),
    async stop({ timeOver }) {
      exporter.hurry()
      const given = delay(LAST_SPANS_MS, undefined, { ref: false })
      await endOf(Promise.race([provider.shutdown(), given]), timeOver)
      exporter.abandon()
    },
  }
}
