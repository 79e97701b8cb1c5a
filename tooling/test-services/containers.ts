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
