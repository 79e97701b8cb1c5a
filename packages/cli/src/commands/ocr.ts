import { Option } from '@commander-js/extra-typings'
import { OCR_ORIENTATIONS, OCR_TEXT_LAYERS } from '../generated/choices.ts'
import { type CliCommand, createCommand } from '../create-command.ts'
import { createProgressBar } from '../output/progress-bar.ts'

/** Value of the argument for standard input. */
const STANDARD_INPUT = '-'

/** `vaani ocr` */
export const ocr: CliCommand = (cli) =>
  createCommand(cli, 'ocr')
    .description('Read the text of a document')
    .argument('<file>', 'JPEG, PNG, WebP, HEIC, AVIF, TIFF or PDF; - reads it from standard input')
    .option('--language <tags>', 'language of the document, such as ne, or ne+en for several')
    .addOption(
      new Option('--orientation <how>', 'whether pages are turned upright').choices(OCR_ORIENTATIONS),
    )
    .addOption(
      new Option('--text-layer <how>', 'whether the text layer of a PDF is taken for its text').choices(
        OCR_TEXT_LAYERS,
      ),
    )
    .addHelpText(
      'after',
      '\nWith --json, prints the place of every word, tables, barcodes and fields as well.',
    )
    .action(async (file, { language, orientation, textLayer }) => {
      const { environment, output, signal } = cli
      const client = await cli.connect()
      const result = await (async () => {
        using bar = createProgressBar(environment.stderr, { isShown: !output.isJson })
        return await client.ocr.process(
          {
            image: file === STANDARD_INPUT ? environment.stdin : file,
            ...(language !== undefined && { language }),
            ...(orientation !== undefined && { orientation }),
            ...(textLayer !== undefined && { text_layer: textLayer }),
          },
          { signal, onProgress: bar.show },
        )
      })()
      await output.line(result, result.text)
    })
