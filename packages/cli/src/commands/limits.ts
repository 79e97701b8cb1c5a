import { type CliCommand, createCommand } from '../create-command.ts'

const DAY_SECONDS = 86_400

/** `vaani limits` */
export const limits: CliCommand = (cli) =>
  createCommand(cli, 'limits')
    .description('Show what the account uses of its limits')
    .action(async () => {
      const { output, signal } = cli
      const client = await cli.connect()
      const use = await client.limits.retrieve({ signal })
      if (output.isJson) return output.resource(use)
      const rates = use.rates.map(({ remaining, ...rate }) => ({
        ...rate,
        used: remaining === null ? null : rate.limit - remaining,
      }))
      const others = [...use.concurrency, ...use.counts].map((one) => ({
        ...one,
        period_seconds: null,
        per: 'account',
        reset_seconds: null,
      }))
      const caps = use.caps.map((cap) => ({ ...cap, period_seconds: DAY_SECONDS, per: 'account' }))
      await output.list([...rates, ...others, ...caps], {
        name: (one) => one.name,
        used: (one) => one.used,
        limit: (one) => one.limit,
        period_seconds: (one) => one.period_seconds,
        per: (one) => one.per,
        reset_seconds: (one) => one.reset_seconds,
      })
      if (!use.shared)
        await output.note(
          'Rates and streams are those of one process of the server, which counts without Redis.',
        )
    })
