import { getContainerRuntimeClient } from 'testcontainers'

let answer: Promise<boolean> | undefined

/** Whether a Docker engine answers; asked once. */
export function hasContainerEngine(): Promise<boolean> {
  answer ??= getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return answer
}

/** By which CI finds the containers of its own run on an engine that others use too. */
export function runLabel(environment: NodeJS.ProcessEnv): Record<string, string> {
  return { 'vaani.test-run': environment['TEST_RUN_LABEL'] ?? 'local' }
}
