import { Argument } from '@commander-js/extra-typings'
import { openInBrowser } from '../browser/open-in-browser.ts'
import { checkBaseUrl, currentBaseUrl } from '../config/credentials.ts'
import { type CliCommand, createCommand } from '../create-command.ts'

const PATHS = { docs: '/docs' } as const

/** `vaani open` */
export const open: CliCommand = (cli) =>
  createCommand(cli, 'open')
    .description('Print the URL of a page of the service, and open it in a browser if there is one')
    .addArgument(new Argument('<page>', 'docs is the API reference').choices(['docs']))
    .action(async (page) => {
      const { environment, output } = cli
      const url = checkBaseUrl(await currentBaseUrl(environment, cli.profile())) + PATHS[page]
      const isForPerson = environment.stdout.isTTY === true && !output.isJson
      const opened = isForPerson && (await openInBrowser(url, environment.variables))
      await output.line({ url, opened }, url)
    })
