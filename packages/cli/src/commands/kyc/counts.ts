import { type CliCommand, createCommand } from '../../create-command.ts'

/** `vaani kyc counts` */
export const kycCounts: CliCommand = (cli) =>
  createCommand(cli, 'counts')
    .description('Count the reviews that wait, by policy and by reason; counting stops at 1,000')
    .action(async () => {
      const client = await cli.connect()
      const counts = await client.reviews.counts({ signal: cli.signal })
      const { by_policy, by_reason, ...totals } = counts
      await cli.output.resource(counts, {
        ...totals,
        policies: by_policy.map(({ policy, reviews, oldest_due_at, overdue }) =>
          [`${policy} ${reviews}`, ...(oldest_due_at === null ? [] : [`${overdue} overdue`])].join(', '),
        ),
        reasons: by_reason.map(({ reason, reviews }) => `${reason} ${reviews}`),
      })
    })
