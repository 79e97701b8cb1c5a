import { Option } from '@commander-js/extra-typings'
import { pcm16Bytes, wavHeader } from '@vaani/pcm-audio'
import { play } from '@vaani/pcm-audio/play'
import { EMOTIONS, MARKUPS } from '../generated/choices.ts'
import { usageError } from '../failure/cli-error.ts'
import { type CliCommand, createCommand, parsePositive } from '../create-command.ts'
import { openSink, STANDARD_OUTPUT } from '../files/byte-sink.ts'
import { readText } from '../files/read-text.ts'

/** Above the limit of the service, which counts characters. */
const MAX_TEXT_BYTES = 64 * 1024

/** `vaani speak` */
export const speak: CliCommand = (cli) =>
  createCommand(cli, 'speak')
    .description('Speak text: play it, write it to a WAV file, or both')
    .argument('<text>', 'text to speak; - reads it from standard input')
    .option('--voice <voice>', 'nova, atlas or the id of a cloned voice')
    .addOption(new Option('--emotion <emotion>', 'emotion of the voice').choices(EMOTIONS))
    .option('--speed <factor>', 'rate of speech, 0.5 to 2', parsePositive)
    .option('--language <tag>', 'language of the text, such as ne-NP')
    .addOption(
      new Option('--markup <markup>', 'whether Markdown is spoken as it is written').choices(MARKUPS),
    )
    .option('--play', 'play it with aplay, sox or ffplay')
    .option('--out <file>', 'write a WAV file; - is standard output')
    .action(async (text, { play: isPlayed, out, ...request }) => {
      if (!isPlayed && out === undefined) throw usageError('no destination: use --play, --out <file> or both')
      const { environment, output, signal } = cli
      const input =
        text === '-' ? await readText(environment.stdin, { maxBytes: MAX_TEXT_BYTES, signal }) : text
      const client = await cli.connect()
      await using sink = out === undefined ? undefined : await openSink(cli, out)
      await using stream = await client.speech.stream({ input, ...request }, { signal })
      const { sample_rate_hz: sampleRateHz, ...descriptor } = stream.descriptor
      let samples = 0
      /** Writes each frame to the file, then passes it on to the player. */
      const frames = async function* (): AsyncGenerator<Int16Array> {
        for await (const frame of stream) {
          samples += frame.length
          await sink?.write(pcm16Bytes(frame))
          yield frame
        }
      }
      await sink?.write(wavHeader({ sampleRateHz }))
      if (isPlayed) await play(frames(), { sampleRateHz, signal, environment: environment.variables })
      else for await (const _ of frames());
      await sink?.replaceStart(wavHeader({ sampleRateHz, dataBytes: samples * Int16Array.BYTES_PER_ELEMENT }))
      await sink?.commit()
      if (out === STANDARD_OUTPUT) return
      const { voice, first_byte_ms, request_id } = descriptor
      const duration_seconds = samples / sampleRateHz
      await output.resource({
        ...(out !== undefined && { out }),
        duration_seconds,
        voice,
        first_byte_ms,
        request_id,
      })
    })
