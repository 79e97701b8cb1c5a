import { getContainerRuntimeClient } from 'testcontainers'

let answer: Promise<boolean> | undefined

/** Returns whether a Docker engine responds; the result is cached. */
export function hasContainerEngine(): Promise<boolean> {
  answer ??= getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
  return answer
}

/** Returns the label by which CI finds the containers of its own run on a shared engine. */
export function runLabel(environment: NodeJS.ProcessEnv): Record<string, string> {
  return { 'vaani.test-run': environment['TEST_RUN_LABEL'] ?? 'local' }
}
