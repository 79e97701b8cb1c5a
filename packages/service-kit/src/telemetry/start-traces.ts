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

/** Instrumentation scope and default service name. */
export const SCOPE = 'vaani'
/** The longest that a hanging collector delays the end of the process, within the deadline of the stop. */
const LAST_SPANS_MS = 2000

export interface Traces {
  readonly tracer: Tracer
  /** Sends the last spans. */
  stop(deadline: StopDeadline): Promise<void>
}

/**
 * Starts the tracing library and exports spans. This file is imported only if traces are on, so that otherwise no process loads
 * the library.
 */
export function startTraces({ settings, log }: { settings: TraceSettings; log: Logger }): Traces {
  let isArriving = true
  const exporter = createSpanExporter((hasArrived) => {
    if (hasArrived !== isArriving)
      log.warn(
        hasArrived
          ? 'The collector accepts traces again'
          : 'The collector does not accept traces; they are dropped',
      )
    isArriving = hasArrived
  })
  const { sampler, mayStart } = createSampling(settings)
  const provider = new TracerProvider({
    // No other detectors, because e.g. the command line of a process may contain a secret.
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
