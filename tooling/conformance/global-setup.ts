/** Starts one Prism for all test files of a run, which replay their exchanges with servers to it. */
import type { TestProject } from 'vitest/node'
import './provided-context.ts'
import { startReplay } from './replay.ts'

export default async function setUpReplay(project: TestProject): Promise<() => Promise<void>> {
  const replay = await startReplay()
  project.provide('replayAddress', replay.address)
  return async () => {
    console.log('exchanges of the end-to-end tests, validated by Prism or left out:', replay.total)
    await replay[Symbol.asyncDispose]()
  }
}
