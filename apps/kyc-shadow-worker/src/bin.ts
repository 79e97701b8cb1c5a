#!/usr/bin/env node
/** The command: `main.ts`, unless this Node is too old to parse it. */
import { findNodeProblem } from '@vaani/service-kit/lifecycle/find-node-problem'

const problem = findNodeProblem(new URL('../package.json', import.meta.url))
if (problem === null) void import('./main.ts')
else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
