import { appendFileSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

import { COUNTS_DESCENDANTS, watchProcesses } from './process-tree.ts'
import type { FileCost } from './profile-file.ts'

const SHOWN = 40
const MS_PER_SECOND = 1000

/**
 * Prints what each test file cost, the most expensive first, the sums by project, and what the run used beside its files. Containers
 * are no descendants of the run, and do not count.
 */
export class ProfileReporter implements Reporter {
  readonly #file: string
  readonly #readSeconds = watchProcesses()
  #startsAt = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Keeps what earlier runs wrote: CI runs a file that failed once more. */
  onInit(): void {
    appendFileSync(this.#file, '')
    this.#startsAt = statSync(this.#file).size
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = readFileSync(this.#file).subarray(this.#startsAt).toString().trim().split('\n')
    const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FileCost)
    const costs = new Map(rows.map((row) => [row.file, row]))
    const all = modules
      .map((module) => {
        const { collectDuration, setupDuration, duration } = module.diagnostic()
        const cost = costs.get(module.moduleId)
        return {
          project: module.project.name,
          file: path.basename(module.moduleId),
          'wall s': (collectDuration + setupDuration + duration) / MS_PER_SECOND,
          'processor s': cost?.processorSeconds ?? 0,
          servers: cost?.servers ?? 0,
          processes: cost?.processes ?? 0,
        }
      })
      .toSorted((one, other) => other['processor s'] - one['processor s'])
    const sums = Object.entries(Object.groupBy(all, ({ project }) => project)).map(
      ([project, files = []]) => ({
        project,
        file: `(${files.length} files)`,
        'wall s': sum(files, 'wall s'),
        'processor s': sum(files, 'processor s'),
        servers: sum(files, 'servers'),
        processes: sum(files, 'processes'),
      }),
    )
    const beside = {
      project: '',
      file: '(beside the files)',
      'wall s': 0,
      'processor s': this.#readSeconds() - (COUNTS_DESCENDANTS ? sum(all, 'processor s') : 0),
      servers: 0,
      processes: 0,
    }
    console.table([...all.slice(0, SHOWN), ...sums, beside].map(rounded))
  }
}

type Row = Record<'wall s' | 'processor s' | 'servers' | 'processes', number>

const sum = (rows: readonly Row[], name: keyof Row): number =>
  rows.reduce((total, row) => total + row[name], 0)

const rounded = <R extends Row>(row: R) => ({
  ...row,
  'wall s': Math.round(row['wall s'] * 10) / 10,
  'processor s': Math.round(row['processor s'] * 10) / 10,
})
