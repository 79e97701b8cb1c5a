import type { Reporter, TestModule } from 'vitest/node'

/** Reports at the end of a run how many tests were skipped for want of what, and how to get it. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>()
    for (const module of modules) {
      const missing = new Map(
        module.project.config.tags
          .filter(({ skip }) => skip === true)
          .map(({ name, description }) => [name, `${name}: ${description}`]),
      )
      for (const test of module.children.allTests('skipped')) {
        const needs = test.tags.flatMap((tag) => missing.get(tag) ?? [])
        for (const need of needs) counts.set(need, (counts.get(need) ?? 0) + 1)
      }
    }
    for (const [need, count] of counts) console.log(`skipped ${count} tests for want of ${need}`)
  }
}
