import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

import type { FileCost } from './profile-file.ts'

const SHOWN = 40
const MS_PER_SECOND = 1000

/** Prints what each test file cost, the most expensive first, and the sums by project. */
export class ProfileReporter implements Reporter {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  onInit(): void {
    rmSync(this.#file, { force: true })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = existsSync(this.#file)
      ? readFileSync(this.#file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as FileCost)
      : []
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
    console.table([...all.slice(0, SHOWN), ...sums].map(rounded))
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
